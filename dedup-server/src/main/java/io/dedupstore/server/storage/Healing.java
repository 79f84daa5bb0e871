package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerCompactor;
import io.dedupstore.core.container.ContainerCompactor.Replacement;
import io.dedupstore.core.container.ContainerContents;
import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.RecordCodec;
import io.dedupstore.core.container.RecordHeader;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.model.V;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a damaged record by writing the container's next generation: files are never changed in
 * place, so a crash leaves the one or the other. Nothing else may rewrite containers meanwhile.
 */
final class Healing {
    private final ContainerCatalog catalog;

    Healing(ContainerCatalog catalog) {
        this.catalog = catalog;
    }

    boolean heal(StoredContainer container, int slot, ContainerReplica.Whole whole)
            throws IOException {
        if (container.isGone() || isFreed(container, slot)) {
            return false;
        }
        if (container.live() != null) {
            catalog.seal(container);
        }
        Path before = container.path();
        try (ContainerView view = catalog.view(container)) {
            if (slot >= view.contents().slots()) {
                throw new IOException("container " + container.id() + " never had slot " + slot);
            }
            @Nullable RecordHeader present = present(view, slot);
            if (present != null
                    && present.fingerprint().equals(whole.fingerprint())
                    && verifies(view, slot, container)) {
                return true;
            }
            ContainerContents healed =
                    new ContainerCompactor(catalog.disk(), bytes -> {})
                            .compact(
                                    view.file(),
                                    view.contents(),
                                    container.drive().containers(),
                                    any -> true,
                                    replacement(view, slot, present, whole));
            catalog.publish(container, healed);
        }
        catalog.disk().delete(before);
        return true;
    }

    private static boolean isFreed(StoredContainer container, int slot) {
        return new SlotPages(container.drive().kv(), container.id()).get(slot) == SlotState.FREED;
    }

    private static Replacement replacement(
            ContainerView view,
            int slot,
            @Nullable RecordHeader present,
            ContainerReplica.Whole whole) {
        RecordHeader header =
                new RecordHeader(
                        slot,
                        whole.domain(),
                        whole.fingerprint(),
                        present != null ? present.v() : anyV(view, slot),
                        whole.codec(),
                        whole.cipher(),
                        whole.keyVersion(),
                        whole.stored().remaining(),
                        whole.length());
        return new Replacement(header, whole.stored());
    }

    /** The epoch is what counts. */
    private static V anyV(ContainerView view, int slot) {
        ContainerHeader header = view.contents().header();
        int entry = view.table().find(slot);
        int epoch = entry < 0 ? header.epoch() : view.table().epoch(entry);
        return new V(epoch, header.session(), 0);
    }

    private static ByteBuffer read(ContainerView view, int entry) throws IOException {
        SlotTable table = view.table();
        ByteBuffer record =
                ByteBuffer.allocate(table.recordLength(entry)).order(ByteOrder.LITTLE_ENDIAN);
        view.file().read(record, table.offset(entry));
        return record.flip();
    }

    /** The header of the record that is there, verified or not; null when it means nothing. */
    private static @Nullable RecordHeader present(ContainerView view, int slot) throws IOException {
        int entry = view.table().find(slot);
        if (entry < 0) {
            return null;
        }
        try {
            RecordHeader header =
                    new RecordCodec(view.contents().header()).header(read(view, entry), 0);
            return header.slot() == slot ? header : null;
        } catch (ContainerException | IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean verifies(ContainerView view, int slot, StoredContainer container)
            throws IOException {
        try {
            RecordCodec.verify(read(view, view.table().find(slot)), container.id());
            return true;
        } catch (ContainerException e) {
            return false;
        }
    }
}
