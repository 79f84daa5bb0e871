package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerCompactor;
import io.dedupstore.core.container.ContainerContents;
import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.io.Disk;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.server.storage.ContainerRow.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the space of freed slots back: containers without a live slot are deleted, those with
 * mostly dead bytes are rewritten as their next generation, and so are those whose file can't be
 * trusted any more. A container that is still being appended to is sealed for it when as much of it
 * is dead; its writer goes on in another one. Those with most to gain for what has to be copied
 * come first. Runs on one thread, at a bounded rate, and holds no lock while it copies: readers go
 * on in the generation they have opened.
 *
 * <p>A slot is dropped only when it is freed and its grace period is over. States only move
 * forwards, so what is decided before copying stays right whatever is delivered meanwhile.
 */
final class Compaction {
    private static final Logger LOG = LoggerFactory.getLogger(Compaction.class);
    private static final int RETRY_INTERVALS = 10;

    /** Share of its full size that must be dead for an open container to be sealed early. */
    private static final int OPEN_DEAD_PART = 64;

    private static final long MAX_PAUSE_NANOS = 100_000_000L;

    private final ContainerCatalog catalog;
    private final Disk disk;
    private final InstantSource clock;
    private final Counters counters;
    private final long graceMillis;
    private final int usualDeadPercent;
    private final long minDeadBytesOfOpen;
    private final long bytesPerSecond;
    private final long retryMillis;
    private final long startedMillis;
    private final ContainerCompactor compactor;
    private volatile boolean closing;

    /** Of the round under way. */
    private int deadPercent;

    private long nextCopyNanos = System.nanoTime();

    Compaction(
            StorageSettings settings,
            ContainerCatalog catalog,
            InstantSource clock,
            Counters counters) {
        this.catalog = catalog;
        this.disk = catalog.disk();
        this.clock = clock;
        this.counters = counters;
        this.graceMillis = settings.grace().toMillis();
        this.usualDeadPercent = settings.compactAtDeadPercent();
        this.deadPercent = usualDeadPercent;
        this.minDeadBytesOfOpen = settings.containerBytes() / OPEN_DEAD_PART;
        this.bytesPerSecond = settings.compactionBytesPerSecond();
        this.retryMillis = settings.maintenanceInterval().toMillis() * RETRY_INTERVALS;
        this.startedMillis = clock.millis();
        this.compactor = new ContainerCompactor(disk, this::pace);
    }

    /** Looks at every container once. */
    void runOnce() {
        runOnce(usualDeadPercent);
    }

    /** As {@link #runOnce()}, and also rewrites containers with this share of dead bytes. */
    void runOnce(int minDeadPercent) {
        deadPercent = minDeadPercent;
        for (StoredContainer container : byBenefit()) {
            if (closing) {
                return;
            }
            try {
                consider(container);
            } catch (IOException | ContainerException | ChunkStoreException e) {
                if (closing) {
                    return;
                }
                counters.failedCompactions.increment();
                container.retryAtMillis(clock.millis() + retryMillis);
                LOG.warn(
                        "Container {} could not be compacted, it stays as it is: {}",
                        container.id(),
                        e.getMessage());
            }
        }
    }

    /** Those with the most dead bytes for each live one first. */
    private List<StoredContainer> byBenefit() {
        Map<StoredContainer, Double> deadShares = new IdentityHashMap<>();
        for (StoredContainer container : catalog.all()) {
            long all = Math.max(1, recordBytes(container));
            deadShares.put(container, (double) container.row().freed().bytes() / all);
        }
        return deadShares.entrySet().stream()
                .sorted(Map.Entry.<StoredContainer, Double>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static long recordBytes(StoredContainer container) {
        LiveContainer live = container.live();
        return live == null ? container.row().all().bytes() : live.end() - ContainerHeader.BYTES;
    }

    /** Makes {@link #runOnce} return soon. */
    void close() {
        closing = true;
    }

    private void consider(StoredContainer container) throws IOException {
        if (container.isGone()
                || clock.millis() < container.retryAtMillis()
                || container.drive().isFailed()) {
            return;
        }
        if (container.live() != null) {
            if (!isSparseWhileOpen(container)) {
                return;
            }
            catalog.seal(container);
        }
        ContainerRow row = container.row();
        if (row.all().records() == row.freed().records() && row.status() != Status.OPEN) {
            if (tryDelete(container)) {
                return;
            }
        }
        boolean sparse = isSparse(row.freed().bytes(), row.all().bytes());
        if (container.needsRewrite() || sparse) {
            rewrite(container);
        }
    }

    private boolean isSparseWhileOpen(StoredContainer container) throws IOException {
        long all = recordBytes(container);
        if (!isSparse(container.row().freed().bytes(), all)) {
            return false;
        }
        long dead = 0;
        synchronized (container) {
            try (ContainerView view = catalog.view(container)) {
                dead = bytesOf(view.table(), droppable(container, view.table()));
            }
        }
        return isSparse(dead, all)
                && (dead >= minDeadBytesOfOpen || deadPercent < usualDeadPercent);
    }

    private static long bytesOf(SlotTable table, BitSet slots) {
        long bytes = 0;
        int size = table.size();
        for (int i = 0; i < size; i++) {
            bytes += slots.get(table.slot(i)) ? table.recordLength(i) : 0;
        }
        return bytes;
    }

    private boolean isSparse(long dead, long all) {
        return all > 0 && dead * 100 >= all * deadPercent;
    }

    /** Freed slots whose grace period is over; under the container's monitor. */
    private BitSet droppable(StoredContainer container, SlotTable table) {
        BitSet dead = new BitSet();
        long now = clock.millis();
        if (now < startedMillis + graceMillis) {
            // Freed before the start, nobody knows when.
            return dead;
        }
        SlotPages pages = new SlotPages(container.drive().kv(), container.id());
        for (int i = 0; i < table.size(); i++) {
            if (pages.get(table.slot(i)) == SlotState.FREED) {
                dead.set(table.slot(i));
            }
        }
        dead.andNot(container.young(now));
        return dead;
    }

    // ---- deleting ----

    private boolean tryDelete(StoredContainer container) throws IOException {
        Path path;
        synchronized (container) {
            try (ContainerView view = catalog.view(container)) {
                SlotTable table = view.table();
                boolean dead =
                        table.size() == 0
                                || droppable(container, table).cardinality() == table.size();
                if (!dead || SlotPages.hasLostSlot(container.drive().kv(), container.id(), table)) {
                    return false;
                }
            }
            path = container.path();
            container.drive().log().write(tombstone(container));
            catalog.forget(container);
        }
        disk.delete(path);
        counters.deletedContainers.increment();
        return true;
    }

    private static KvBatch tombstone(StoredContainer container) {
        byte[] key = StateTables.key(container.id());
        KvBatch batch = new KvBatch();
        batch.put(StateTables.CONTAINERS, key, container.row().gone().encode());
        deleteAll(container.drive().kv(), StateTables.SLOTS, key, batch);
        deleteAll(container.drive().kv(), StateTables.STREAMS, key, batch);
        return batch;
    }

    private static void deleteAll(KvStore kv, Table table, byte[] prefix, KvBatch batch) {
        try (KvCursor cursor = kv.scan(table, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                batch.delete(table, cursor.key());
            }
        }
    }

    // ---- rewriting ----

    private void rewrite(StoredContainer container) throws IOException {
        Path before = container.path();
        try (ContainerView view = catalog.view(container)) {
            int lost = container.row().all().records() - view.table().size();
            if (lost > 0) {
                throw new IOException(lost + " of its records can't be found");
            }
            BitSet drop;
            synchronized (container) {
                drop = droppable(container, view.table());
            }
            long all = container.row().all().bytes();
            long dead = bytesOf(view.table(), drop);
            if (!container.needsRewrite() && !isSparse(dead, all)) {
                return;
            }
            if (!container.drive().hasRoomToCompact(all - dead)) {
                throw new IOException("no room for the next generation");
            }
            ContainerContents contents =
                    compactor.compact(
                            view.file(),
                            view.contents(),
                            container.drive().containers(),
                            slot -> !drop.get(slot));
            catalog.publish(container, contents);
            counters.compactedContainers.increment();
            counters.compactedBytes.add(dead);
        }
        disk.delete(before);
    }

    /** Sleeps so that copying keeps to its rate. */
    private void pace(long bytes) {
        long now = System.nanoTime();
        long cost = (long) (bytes * (1e9 / bytesPerSecond));
        nextCopyNanos = Math.max(nextCopyNanos, now - MAX_PAUSE_NANOS) + cost;
        while (nextCopyNanos > System.nanoTime()) {
            if (closing) {
                throw new ChunkStoreException(
                        ChunkStoreException.Code.UNAVAILABLE, "the storage node is closing");
            }
            LockSupport.parkNanos(
                    Math.min(MAX_PAUSE_NANOS, Math.max(1, nextCopyNanos - System.nanoTime())));
        }
    }
}
