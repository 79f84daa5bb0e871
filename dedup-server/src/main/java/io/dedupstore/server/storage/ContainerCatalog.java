package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerContents;
import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.ContainerFiles;
import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.ContainerScanner;
import io.dedupstore.core.container.SlotDirectory;
import io.dedupstore.core.container.SlotTable;
import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.server.storage.ContainerRow.Count;
import io.dedupstore.server.storage.ContainerRow.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers of a node: finding them, opening them for reading, sealing them, and counting what
 * their slots are.
 *
 * <p>Locks, in the order they are taken: a container's monitor (its state), its {@code loading}
 * lock (which file is its present generation), the view cache's. A reader takes the second only
 * when the container is not open yet.
 */
final class ContainerCatalog {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerCatalog.class);

    private static final int ALL_SLOTS = Integer.MAX_VALUE;

    private final Disk disk;
    private final List<Drive> drives;
    private final Set<ShardId> requiredShards;
    private final InstantSource clock;
    private final long graceMillis;
    private final ViewCache views;
    private final Map<ContainerId, StoredContainer> byId = new ConcurrentHashMap<>();

    ContainerCatalog(
            StorageSettings settings,
            Disk disk,
            List<Drive> drives,
            Set<ShardId> requiredShards,
            InstantSource clock) {
        this.disk = disk;
        this.drives = drives;
        this.requiredShards = requiredShards;
        this.clock = clock;
        this.graceMillis = settings.grace().toMillis();
        this.views = new ViewCache(settings.directoryCacheBytes(), settings.maxOpenFiles());
    }

    Disk disk() {
        return disk;
    }

    Collection<StoredContainer> all() {
        return byId.values();
    }

    void add(StoredContainer container) {
        StoredContainer before = byId.putIfAbsent(container.id(), container);
        if (before != null) {
            throw new IllegalStateException(
                    "container %s is on drive %s and on drive %s"
                            .formatted(
                                    container.id(),
                                    before.drive().directory(),
                                    container.drive().directory()));
        }
    }

    @Nullable StoredContainer find(ContainerId id) {
        return byId.get(id);
    }

    /**
     * @throws ChunkStoreException GONE or UNAVAILABLE
     */
    StoredContainer require(ContainerId id) {
        StoredContainer container = byId.get(id);
        if (container != null) {
            return container;
        }
        throw isGone(id)
                ? new ChunkStoreException(
                        ChunkStoreException.Code.GONE, "container " + id + " was deleted")
                : new ChunkStoreException(
                        ChunkStoreException.Code.UNAVAILABLE,
                        "container " + id + " is on no drive of this node");
    }

    /** Whether the container was here and all of it was freed and deleted. */
    boolean isGone(ContainerId id) {
        for (Drive drive : drives) {
            byte[] row = drive.kv().get(StateTables.CONTAINERS, StateTables.key(id));
            if (row != null && ContainerRow.decode(row).status() == Status.GONE) {
                return true;
            }
        }
        return false;
    }

    // ---- reading ----

    /** A view of the present generation; the caller closes it. */
    ContainerView view(StoredContainer container) throws IOException {
        ContainerView view = openView(container);
        if (view != null) {
            return view;
        }
        synchronized (container.loading()) {
            view = openView(container);
            if (view != null) {
                return view;
            }
            if (container.isGone()) {
                throw new ChunkStoreException(
                        ChunkStoreException.Code.GONE,
                        "container " + container.id() + " was deleted");
            }
            ContainerView loaded = load(container, container.row());
            if (!loaded.shared().tryAcquire()) {
                throw new IllegalStateException("a fresh file is open");
            }
            views.put(container.id(), loaded);
            return loaded;
        }
    }

    private @Nullable ContainerView openView(StoredContainer container) {
        LiveContainer live = container.live();
        ContainerView view = live == null ? null : live.acquire();
        return view != null ? view : views.acquire(container.id());
    }

    private ContainerView load(StoredContainer container, ContainerRow row) throws IOException {
        Path path = container.path();
        DiskFile file = disk.openForReading(path);
        try {
            ContainerHeader header = ContainerHeader.read(file, path.toString());
            if (!header.id().equals(container.id()) || header.generation() != row.generation()) {
                throw new IOException(
                        "%s holds container %s generation %d"
                                .formatted(path, header.id(), header.generation()));
            }
            Optional<ContainerContents> directory = SlotDirectory.load(file, header);
            return new ContainerView(
                    new SharedFile(file),
                    directory.isPresent()
                            ? directory.get()
                            : scanned(container, row, file, header));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static ContainerContents scanned(
            StoredContainer container, ContainerRow row, DiskFile file, ContainerHeader header)
            throws IOException {
        boolean fenced = row.status() == Status.FENCED;
        ContainerScanner.Found found =
                ContainerScanner.scan(file, header, fenced ? row.fencedEnd() : Long.MAX_VALUE);
        if (!fenced) {
            LOG.warn(
                    "The slot directory of container {} is damaged; found {} records by a scan, it"
                            + " will be rewritten.",
                    container.id(),
                    found.contents().table().size());
            container.needsRewrite(true);
        }
        return found.contents();
    }

    // ---- sealing ----

    /** Ends appends and keeps all of them; as {@link #seal(StoredContainer, int)}. */
    void seal(StoredContainer container) {
        seal(container, ALL_SLOTS);
    }

    /** Ends appends; the file is sealed, or fenced when that fails. Idempotent. */
    void seal(StoredContainer container, int slots) {
        synchronized (container) {
            LiveContainer live = container.live();
            if (live == null) {
                return;
            }
            ContainerView view;
            Status status;
            try {
                view = live.seal(slots);
                status = Status.SEALED;
            } catch (IOException e) {
                LOG.warn(
                        "Container {} can't be sealed ({}); its acknowledged part stays readable and"
                                + " will be rewritten.",
                        container.id(),
                        e.getMessage());
                view = live.fence();
                status = Status.FENCED;
            }
            if (slots != ALL_SLOTS && view.table().size() < slots) {
                LOG.error(
                        "Container {} has {} slots, but {} were acknowledged by this node or another.",
                        container.id(),
                        view.table().size(),
                        slots);
            }
            KvBatch batch = new KvBatch();
            ContainerRow row = recount(container, view.contents(), status, batch);
            container.row(row);
            views.put(container.id(), view);
            container.sealed();
            try {
                container.drive().log().write(batch);
            } catch (ChunkStoreException e) {
                // The file says the same at the next start.
                LOG.error("The state of container {} can't be written.", container.id(), e);
            }
        }
    }

    /** Makes a new generation, whose file is there, the present one; durable on return. */
    void publish(StoredContainer container, ContainerContents contents) throws IOException {
        Path path =
                ContainerFiles.path(
                        container.drive().containers(),
                        container.id(),
                        contents.header().generation());
        DiskFile file = disk.openForReading(path);
        try {
            synchronized (container) {
                replace(container, file, contents);
            }
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Under the container's monitor. */
    private void replace(StoredContainer container, DiskFile file, ContainerContents contents) {
        KvBatch batch = new KvBatch();
        ContainerRow row = recount(container, contents, Status.SEALED, batch);
        container.drive().log().write(batch);
        synchronized (container.loading()) {
            container.row(row);
            container.needsRewrite(false);
            views.put(container.id(), new ContainerView(new SharedFile(file), contents));
        }
    }

    /** Forgets a deleted container. Under its monitor, with its row durable. */
    void forget(StoredContainer container) {
        synchronized (container.loading()) {
            container.row(container.row().gone());
            byId.remove(container.id());
            views.remove(container.id());
        }
    }

    // ---- states ----

    /** Counts a sealed container's slots anew, and applies what its streams have closed. */
    ContainerRow recount(
            StoredContainer container, ContainerContents contents, Status status, KvBatch batch) {
        SlotTable table = contents.table();
        SlotPages pages = new SlotPages(container.drive().kv(), container.id());
        int closed = closedEpoch(container, null, StreamRow.NEW);
        Count all = Count.ZERO;
        Count adopted = Count.ZERO;
        Count freed = Count.ZERO;
        int minEpoch = Integer.MAX_VALUE;
        int maxEpoch = 0;
        for (int i = 0; i < table.size(); i++) {
            int slot = table.slot(i);
            int bytes = table.recordLength(i);
            minEpoch = Math.min(minEpoch, table.epoch(i));
            maxEpoch = Math.max(maxEpoch, table.epoch(i));
            if (table.epoch(i) <= closed && pages.get(slot) == SlotState.WRITTEN) {
                pages.advance(slot, SlotState.FREED);
                noteFreed(container, List.of(slot));
            }
            all = all.plus(1, bytes);
            switch (pages.get(slot)) {
                case WRITTEN -> {}
                case ADOPTED -> adopted = adopted.plus(1, bytes);
                case FREED -> freed = freed.plus(1, bytes);
            }
        }
        ContainerRow row =
                new ContainerRow(
                        status,
                        contents.header().generation(),
                        contents.slots(),
                        status == Status.FENCED ? contents.dataEnd() : 0,
                        table.size() == 0 ? 0 : minEpoch,
                        maxEpoch,
                        all,
                        adopted,
                        freed,
                        status == Status.FENCED ? contents.dataEnd() : contents.sealedBytes());
        pages.writeTo(batch);
        batch.put(StateTables.CONTAINERS, StateTables.key(container.id()), row.encode());
        return row;
    }

    /**
     * Epoch that every required shard has closed for a container.
     *
     * @param changed a stream whose row is not the stored one but {@code changedRow}
     */
    int closedEpoch(StoredContainer container, @Nullable ShardId changed, StreamRow changedRow) {
        int closed = Integer.MAX_VALUE;
        for (ShardId shard : requiredShards) {
            StreamRow row = shard.equals(changed) ? changedRow : stream(container, shard);
            closed = Math.min(closed, row.closedEpoch());
        }
        return closed;
    }

    StreamRow stream(StoredContainer container, ShardId source) {
        byte[] row =
                container
                        .drive()
                        .kv()
                        .get(StateTables.STREAMS, StateTables.streamKey(container.id(), source));
        return row == null ? StreamRow.NEW : StreamRow.decode(row);
    }

    void noteFreed(StoredContainer container, List<Integer> slots) {
        long now = clock.millis();
        for (int slot : slots) {
            container.freed(slot, now, graceMillis);
        }
    }

    /**
     * Whether a container has written slots of epochs up to this one that nobody adopted or freed.
     */
    boolean hasOrphans(StoredContainer container, int epoch) {
        synchronized (container) {
            ContainerRow row = container.row();
            boolean sealed = row.status() == Status.SEALED;
            int written = row.all().records() - row.adopted().records() - row.freed().records();
            if (container.isGone() || sealed && (written == 0 || row.minEpoch() > epoch)) {
                return false;
            }
            try (ContainerView view = view(container)) {
                SlotPages pages = new SlotPages(container.drive().kv(), container.id());
                SlotTable table = view.table();
                for (int i = 0; i < table.size(); i++) {
                    if (table.epoch(i) <= epoch && pages.get(table.slot(i)) == SlotState.WRITTEN) {
                        return true;
                    }
                }
                return false;
            } catch (IOException | ContainerException e) {
                LOG.warn("Container {} can't be read.", container.id(), e);
                // A stream item too much does no harm.
                return true;
            }
        }
    }

    void close() {
        views.clear();
    }
}
