package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.ContainerFiles;
import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.container.OpenContainer;
import io.dedupstore.core.container.ReadPlan;
import io.dedupstore.core.io.Disk;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.SlotCut;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A storage node: containers on one or more drives.
 *
 * <p>Threads. What comes through {@link ContainerNode} may come from any thread and is carried over
 * to the disk pool here. What comes through {@link ContainerReplica} must already be on a platform
 * thread, usually one of that pool. One more thread does maintenance: it deletes and compacts, see
 * {@link Compaction}, and verifies in between, see {@link Scrub}.
 *
 * <p>Life. {@link #open} recovers every drive: containers that a process before left open are
 * scanned and sealed, because their sessions ended with it. A drive that can't be opened is left
 * out, with an error; the node serves what it has. {@link #close} syncs nothing that was not
 * acknowledged anyway.
 */
public final class StorageNode implements ContainerNode, ContainerReplica, AutoCloseable {
    /** Share of dead bytes at which a commanded compaction rewrites a container. */
    private static final int THOROUGH_PERCENT = 10;

    private static final Logger LOG = LoggerFactory.getLogger(StorageNode.class);
    private static final long SCRUB_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_RECORD_BYTES = (1 << 20) + (64 << 10);
    private static final ThreadLocal<ByteBuffer> READ_BUFFERS =
            ThreadLocal.withInitial(
                    () ->
                            ByteBuffer.allocateDirect(MAX_RECORD_BYTES)
                                    .order(ByteOrder.LITTLE_ENDIAN));

    private final StorageSettings settings;
    private final Disk disk;
    private final DiskPool pool;
    private final List<Drive> drives;
    private final ContainerCatalog catalog;
    private final Deliveries deliveries;
    private final Compaction compaction;
    private final Scrub scrub;
    private final Healing healing;
    private final Counters counters = new Counters();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile int refusedEpoch;
    private volatile @Nullable Thread maintenance;

    private StorageNode(
            StorageSettings settings,
            Set<ShardId> requiredShards,
            Disk disk,
            List<Drive> drives,
            Function<byte[], StorageMessage> messages,
            InstantSource clock,
            DiskPool pool) {
        this.settings = settings;
        this.disk = disk;
        this.pool = pool;
        this.drives = drives;
        this.catalog = new ContainerCatalog(settings, disk, drives, requiredShards, clock);
        this.deliveries = new Deliveries(catalog, messages);
        this.healing = new Healing(catalog);
        this.compaction = new Compaction(settings, catalog, clock, counters);
        this.scrub = new Scrub(settings, catalog, drives, clock, counters);
        this.refusedEpoch = drives.stream().mapToInt(Drive::refusedEpoch).max().orElse(0);
    }

    /**
     * Opens the drives, recovers containers that were left open and seals them.
     *
     * @param requiredShards whose {@code Closed} together make unadopted slots garbage
     * @param messages decodes what {@link #deliver} is given
     * @param pool stays the caller's, to be closed after this node
     * @throws UncheckedIOException no drive can be used
     * @throws ContainerException UNSUPPORTED: something was written by a newer release
     */
    public static StorageNode open(
            StorageSettings settings,
            Set<ShardId> requiredShards,
            Disk disk,
            KvStores stores,
            Function<byte[], StorageMessage> messages,
            InstantSource clock,
            DiskPool pool) {
        if (requiredShards.isEmpty()) {
            throw new IllegalArgumentException("a storage node needs the shards it is told by");
        }
        if (settings.durability() == StorageSettings.Durability.RELAXED) {
            LOG.warn(
                    "durability=relaxed: appends are acknowledged before they are on disk; a power"
                            + " failure loses acknowledged data.");
        }
        StorageNode node =
                new StorageNode(
                        settings,
                        Set.copyOf(requiredShards),
                        disk,
                        openDrives(settings, disk, stores),
                        messages,
                        clock,
                        pool);
        try {
            for (Drive drive : node.drives) {
                new Recovery(node.catalog, drive).run();
            }
            return node;
        } catch (IOException e) {
            node.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private static List<Drive> openDrives(StorageSettings settings, Disk disk, KvStores stores) {
        List<Drive> drives = new ArrayList<>();
        List<Exception> problems = new ArrayList<>();
        for (Path directory : settings.drives()) {
            try {
                drives.add(Drive.open(directory, disk, stores, settings.minFreeBytes()));
            } catch (IOException | RuntimeException e) {
                LOG.error("Drive {} is left out: {}", directory, e.getMessage(), e);
                problems.add(e);
            }
        }
        if (drives.isEmpty()) {
            IOException none =
                    new IOException(
                            "no drive can be used: " + problems.getFirst().getMessage(),
                            problems.getFirst());
            throw new UncheckedIOException(none);
        }
        return drives;
    }

    /** Starts the thread that deletes, compacts and scrubs containers. */
    public void startMaintenance() {
        Thread thread =
                Thread.ofPlatform().daemon().name("storage-maintenance").unstarted(this::maintain);
        maintenance = thread;
        thread.start();
    }

    private void maintain() {
        long interval = settings.maintenanceInterval().toNanos();
        long nextRound = System.nanoTime() + interval;
        long wait = 0;
        try {
            while (!closing.await(wait, TimeUnit.NANOSECONDS)) {
                if (System.nanoTime() - nextRound >= 0) {
                    runMaintenance();
                    nextRound = System.nanoTime() + interval;
                }
                long untilRound = Math.max(0, nextRound - System.nanoTime());
                wait = Math.min(untilRound, scrubStep());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * One round of compaction now, whatever the interval; returns when it is done. Who asks for it
     * wants the space: containers with little dead in them are rewritten too.
     */
    public void compactNow() {
        pool.run(() -> runMaintenance(Math.min(THOROUGH_PERCENT, settings.compactAtDeadPercent())));
    }

    /** One look at all containers, on the caller's thread. */
    void runMaintenance() {
        runMaintenance(settings.compactAtDeadPercent());
    }

    private synchronized void runMaintenance(int minDeadPercent) {
        try {
            compaction.runOnce(minDeadPercent);
        } catch (RuntimeException e) {
            LOG.error("Maintenance of containers failed; it goes on with the next round.", e);
        }
    }

    /** How long to wait before the next step of the scrub, or before looking for one again. */
    long scrubStep() {
        try {
            long wait = scrub.step();
            return wait < 0 ? SCRUB_LOOK_NANOS : wait;
        } catch (RuntimeException e) {
            LOG.error("Scrub failed; it goes on where it was.", e);
            return SCRUB_LOOK_NANOS;
        }
    }

    /** Verifies all sealed containers, on the caller's thread and at the set rate. */
    void scrubNow() {
        scrub.start();
        while (scrub.step() >= 0) {
            if (closing.getCount() == 0) {
                return;
            }
        }
    }

    /** Has a scrub of all sealed containers begin, unless one is running. */
    public void startScrub() {
        scrub.start();
    }

    public ScrubStatus scrubStatus() {
        return scrub.status();
    }

    /** Slots that are known to be damaged. */
    public long damagedSlots() {
        return scrub.damagedNow();
    }

    /** Has damage that a scrub finds told to {@code listener}. */
    public void onDamage(SlotDamage listener) {
        scrub.listener(listener);
    }

    // ---- outbox streams and epochs ----

    @Override
    public long deliver(
            ContainerId container, ShardId source, long firstSequence, List<byte[]> messages) {
        return pool.call(() -> deliveries.deliver(container, source, firstSequence, messages));
    }

    @Override
    public List<Outcome> deliverTogether(ShardId source, List<Delivery> together) {
        return pool.call(() -> deliveries.deliver(source, together));
    }

    @Override
    public void refuseEpoch(int epoch) {
        pool.run(() -> refuse(epoch));
    }

    private void refuse(int epoch) {
        synchronized (drives) {
            if (epoch > refusedEpoch) {
                drives.forEach(drive -> drive.refuseEpoch(epoch));
                refusedEpoch = epoch;
            }
        }
        for (StoredContainer container : catalog.all()) {
            LiveContainer live = container.live();
            if (live != null && live.header().epoch() <= epoch) {
                catalog.seal(container);
            } else if (live != null) {
                live.awaitAppends();
            }
        }
    }

    @Override
    public List<ContainerId> containersWithOrphans(int epoch) {
        return pool.call(
                () ->
                        catalog.all().stream()
                                .filter(container -> catalog.hasOrphans(container, epoch))
                                .map(StoredContainer::id)
                                .sorted()
                                .toList());
    }

    // ---- appends ----

    @Override
    public void open(ContainerHeader header) {
        if (header.generation() != 1) {
            throw new IllegalArgumentException("a new container is of generation 1");
        }
        if (header.epoch() <= refusedEpoch) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.STALE, "epochs up to " + refusedEpoch + " are closed");
        }
        if (catalog.find(header.id()) != null || catalog.isGone(header.id())) {
            throw new IllegalArgumentException("container " + header.id() + " was here before");
        }
        ChunkStoreException problem = null;
        for (Drive drive : drivesWithRoom()) {
            try {
                create(header, drive);
                return;
            } catch (IOException e) {
                LOG.warn("Drive {} takes no new container: {}", drive.directory(), e.getMessage());
                problem =
                        new ChunkStoreException(
                                Failures.code(e),
                                "container " + header.id() + " can't be created: " + e.getMessage(),
                                e);
            }
        }
        throw problem != null
                ? problem
                : new ChunkStoreException(
                        ChunkStoreException.Code.FULL,
                        "every drive is below its free space watermark of "
                                + settings.minFreeBytes()
                                + " bytes, or failed");
    }

    /** The emptiest first. */
    private List<Drive> drivesWithRoom() {
        return drives.stream()
                .filter(Drive::hasRoom)
                .sorted(Comparator.comparingLong(Drive::usableBytes).reversed())
                .toList();
    }

    private void create(ContainerHeader header, Drive drive) throws IOException {
        Path path = ContainerFiles.path(drive.containers(), header.id(), header.generation());
        disk.createDirectories(ContainerFiles.folder(path));
        OpenContainer file = OpenContainer.create(disk, path, header);
        LiveContainer live =
                new LiveContainer(
                        file,
                        pool::execute,
                        settings.durability() == StorageSettings.Durability.RELAXED,
                        () -> refusedEpoch,
                        counters.syncs::increment);
        ContainerRow row = ContainerRow.opened();
        catalog.add(new StoredContainer(header.id(), drive, row, live));
        drive.log()
                .write(
                        new KvBatch()
                                .put(
                                        StateTables.CONTAINERS,
                                        StateTables.key(header.id()),
                                        row.encode()));
    }

    @Override
    public CompletableFuture<Void> append(ContainerId id, long offset, ByteBuffer records) {
        StoredContainer container = catalog.require(id);
        LiveContainer live = container.live();
        if (live == null) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE, "container " + id + " is sealed");
        }
        if (!container.drive().hasRoom()) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.FULL,
                    "drive "
                            + container.drive().directory()
                            + " is below its free space watermark");
        }
        int bytes = records.remaining();
        int before = live.table().size();
        CompletableFuture<Void> durable = live.append(offset, records);
        container.drive().written(bytes);
        counters.appendedBytes.add(bytes);
        counters.appendedChunks.add(live.table().size() - (long) before);
        return durable;
    }

    @Override
    public void seal(ContainerId id, int slots) {
        catalog.seal(catalog.require(id), slots);
    }

    // ---- reads ----

    @Override
    public void read(ContainerId id, int[] slots, RecordSink sink) {
        StoredContainer container = catalog.require(id);
        try (ContainerView view = catalog.view(container)) {
            int[] entries = new int[slots.length];
            for (int i = 0; i < slots.length; i++) {
                entries[i] = view.table().find(slots[i]);
                if (entries[i] < 0) {
                    throw missing(container, slots[i]);
                }
            }
            for (ReadPlan.Run run : ReadPlan.of(view.table(), entries)) {
                read(view, run, sink);
            }
        } catch (ContainerException e) {
            throw Failures.damaged(e);
        } catch (IOException e) {
            throw unreadable(container, e);
        }
    }

    private static void read(ContainerView view, ReadPlan.Run run, RecordSink sink)
            throws IOException {
        ByteBuffer buffer = READ_BUFFERS.get().clear().limit(run.length());
        view.file().read(buffer, run.offset());
        if (buffer.hasRemaining()) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.DAMAGED,
                    "the file of container "
                            + view.contents().header().id()
                            + " ends before its records do");
        }
        buffer.flip();
        for (int i = 0; i < run.members().length; i++) {
            int entry = run.entries()[i];
            int at = (int) (view.table().offset(entry) - run.offset());
            sink.accept(run.members()[i], buffer.slice(at, view.table().recordLength(entry)));
        }
    }

    @Override
    public synchronized boolean heal(ContainerId id, int slot, Whole whole) {
        try {
            return healing.heal(catalog.require(id), slot, whole);
        } catch (ContainerException e) {
            throw Failures.damaged(e);
        } catch (IOException e) {
            throw new ChunkStoreException(
                    Failures.code(e),
                    "slot %d of container %s can't be healed: %s"
                            .formatted(slot, id, e.getMessage()),
                    e);
        }
    }

    private static ChunkStoreException missing(StoredContainer container, int slot) {
        SlotPages pages = new SlotPages(container.drive().kv(), container.id());
        boolean freed = pages.get(slot) == SlotState.FREED;
        return new ChunkStoreException(
                freed ? ChunkStoreException.Code.GONE : ChunkStoreException.Code.DAMAGED,
                "slot %d of container %s %s"
                        .formatted(slot, container.id(), freed ? "was freed" : "has no record"));
    }

    /** An error of the disk is not damage; a file that is not there is. */
    private ChunkStoreException unreadable(StoredContainer container, IOException e) {
        boolean lost;
        try {
            lost = !disk.exists(container.path());
        } catch (IOException again) {
            lost = false;
        }
        return new ChunkStoreException(
                lost && !container.isGone()
                        ? ChunkStoreException.Code.DAMAGED
                        : ChunkStoreException.Code.UNAVAILABLE,
                "container " + container.id() + " can't be read: " + e.getMessage(),
                e);
    }

    // ---- the rest ----

    public List<ContainerId> containers() {
        return catalog.all().stream().map(StoredContainer::id).sorted().toList();
    }

    /** Slot states as of now, for comparison with those who own them. Platform threads only. */
    public SlotCut cut() {
        return new StoredSlots(catalog, drives);
    }

    public StorageStatistics statistics() {
        StatisticsSum sum = new StatisticsSum();
        catalog.all().forEach(sum::add);
        long usable = drives.stream().mapToLong(Drive::usableBytes).sum();
        return sum.statistics(usable, counters);
    }

    @Override
    public void close() {
        closing.countDown();
        compaction.close();
        Thread thread = maintenance;
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        for (StoredContainer container : catalog.all()) {
            if (container.live() != null) {
                catalog.seal(container);
            }
        }
        catalog.close();
        drives.forEach(Drive::close);
    }
}
