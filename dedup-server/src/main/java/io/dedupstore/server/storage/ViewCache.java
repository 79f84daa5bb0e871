package io.dedupstore.server.storage;

import io.dedupstore.core.model.ContainerId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sealed containers that are open for reading, the least recently used closed first. Thread-safe.
 */
final class ViewCache {
    private final long maxBytes;
    private final int maxFiles;
    private final Map<ContainerId, ContainerView> views = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /**
     * @param maxBytes memory for slot directories
     */
    ViewCache(long maxBytes, int maxFiles) {
        this.maxBytes = maxBytes;
        this.maxFiles = maxFiles;
    }

    /** A view with one more user, or null. */
    synchronized @Nullable ContainerView acquire(ContainerId container) {
        ContainerView view = views.get(container);
        return view != null && view.shared().tryAcquire() ? view : null;
    }

    /** Takes over the caller's use of {@code view}; what stood there before is let go. */
    void put(ContainerId container, ContainerView view) {
        List<ContainerView> released = new ArrayList<>();
        synchronized (this) {
            ContainerView before = views.put(container, view);
            bytes += view.table().memoryBytes();
            if (before != null) {
                bytes -= before.table().memoryBytes();
                released.add(before);
            }
            Iterator<Map.Entry<ContainerId, ContainerView>> eldest = views.entrySet().iterator();
            while ((bytes > maxBytes || views.size() > maxFiles) && views.size() > 1) {
                Map.Entry<ContainerId, ContainerView> victim = eldest.next();
                bytes -= victim.getValue().table().memoryBytes();
                released.add(victim.getValue());
                eldest.remove();
            }
        }
        released.forEach(ContainerView::close);
    }

    void remove(ContainerId container) {
        ContainerView view;
        synchronized (this) {
            view = views.remove(container);
            if (view != null) {
                bytes -= view.table().memoryBytes();
            }
        }
        if (view != null) {
            view.close();
        }
    }

    void clear() {
        List<ContainerView> released;
        synchronized (this) {
            released = new ArrayList<>(views.values());
            views.clear();
            bytes = 0;
        }
        released.forEach(ContainerView::close);
    }
}
