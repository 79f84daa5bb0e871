package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerFiles;
import io.dedupstore.core.model.ContainerId;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A container of this node. Its monitor guards its state: whoever changes row, slots or stream
 * positions holds it, the durable write included. Reading chunks never takes it.
 */
final class StoredContainer {
    private final ContainerId id;
    private final Drive drive;
    private final Object loading = new Object();
    private volatile ContainerRow row;
    private volatile @Nullable LiveContainer live;
    private volatile boolean needsRewrite;
    private @Nullable YoungFrees young;
    private long retryAtMillis;

    StoredContainer(ContainerId id, Drive drive, ContainerRow row, @Nullable LiveContainer live) {
        this.id = id;
        this.drive = drive;
        this.row = row;
        this.live = live;
    }

    ContainerId id() {
        return id;
    }

    Drive drive() {
        return drive;
    }

    /** Held while a view is opened or replaced. */
    Object loading() {
        return loading;
    }

    ContainerRow row() {
        return row;
    }

    void row(ContainerRow newRow) {
        row = newRow;
    }

    /** Null unless it is being appended to. */
    @Nullable LiveContainer live() {
        return live;
    }

    void sealed() {
        live = null;
    }

    Path path() {
        return ContainerFiles.path(drive.containers(), id, row.generation());
    }

    boolean isGone() {
        return row.status() == ContainerRow.Status.GONE;
    }

    /** Its directory had to be made up by a scan; it should be written anew. */
    boolean needsRewrite() {
        return needsRewrite || row.status() == ContainerRow.Status.FENCED;
    }

    void needsRewrite(boolean needed) {
        needsRewrite = needed;
    }

    /** Notes a freed slot; under the monitor. */
    void freed(int slot, long nowMillis, long graceMillis) {
        if (young == null) {
            young = new YoungFrees(graceMillis);
        }
        young.add(slot, nowMillis);
    }

    /** Freed slots that must stay readable; under the monitor. */
    BitSet young(long nowMillis) {
        if (young == null) {
            return new BitSet();
        }
        BitSet slots = young.young(nowMillis);
        if (slots.isEmpty()) {
            young = null;
        }
        return slots;
    }

    /** When compaction may try again after a failure; maintenance thread only. */
    long retryAtMillis() {
        return retryAtMillis;
    }

    void retryAtMillis(long millis) {
        retryAtMillis = millis;
    }
}
