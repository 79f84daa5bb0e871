package io.dedupstore.bench.index;

import io.dedupstore.core.control.Bootstrap;
import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.control.ControlClient;
import io.dedupstore.core.control.ControlStateMachine;
import io.dedupstore.core.control.SecretCipher;
import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.io.LocalDisk;
import io.dedupstore.core.io.ProcessEnd;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.RocksKvStore;
import io.dedupstore.core.kv.RocksResources;
import io.dedupstore.core.kv.StoreLimits;
import io.dedupstore.core.kv.StoreWork;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.kv.WriteMode;
import io.dedupstore.core.maintenance.EpochCloser;
import io.dedupstore.core.maintenance.OutboxPump;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataStateMachine;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.StateMachine;
import io.dedupstore.server.cluster.BackgroundWork;
import io.dedupstore.server.cluster.GatewaySessions;
import io.dedupstore.server.cluster.WorkingGroup;
import io.dedupstore.server.raft.GroupSpec;
import io.dedupstore.server.raft.RaftGroup;
import io.dedupstore.server.raft.RaftHost;
import io.dedupstore.server.raft.RaftOptions;
import io.dedupstore.server.storage.DiskPool;
import io.dedupstore.server.storage.LocalChunkStore;
import io.dedupstore.server.storage.Placement;
import io.dedupstore.server.storage.StorageNode;
import io.dedupstore.server.storage.StorageSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * An embedded node without its ports: control, metadata and index groups with one member each over
 * their stores, a storage node, the threads behind them, with the server's own settings. One stream
 * more than a server has brings the index what imaginary holders commit and release; what the index
 * tells imaginary containers is taken and forgotten.
 */
final class BenchNode implements AutoCloseable {
    static final ShardId INDEX = ShardId.index(0);
    static final ShardId METADATA = ShardId.metadata(0);

    static final StoreLimits LIMITS = StoreLimits.DEFAULT;

    private static final ClusterLayout LAYOUT = new ClusterLayout(1, 1);
    private static final ShardId HOLDERS = ShardId.metadata(1);
    private static final int KV_THREADS = 4;
    private static final int DELIVERY_THREADS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final InstantSource clock = InstantSource.system();
    private final SecureRandom random = new SecureRandom();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final RocksResources resources;
    private final RocksKvStore indexStore;
    private final IndexStateMachine indexMachine = new IndexStateMachine(LAYOUT.index());
    private final RaftHost raft;
    private final WorkerPool kvPool;
    private final ControlClient control;
    private final IndexClient index;
    private final MetadataClient metadata;
    private final LocalChunkStore chunks;
    private final GatewaySessions sessions;
    private final HolderStream holders;
    private final BackgroundWork work;

    BenchNode(Path directory) throws IOException {
        this.resources = RocksResources.counting(LIMITS);
        opened.push(resources);
        this.kvPool = opening(new WorkerPool("kv", KV_THREADS));
        Path state = directory.resolve("state");
        this.indexStore = store(state.resolve("index"), indexMachine);
        MetadataStateMachine metadataMachine =
                new MetadataStateMachine(LAYOUT.metadata(), LAYOUT.indexShards());
        ControlStateMachine controlMachine = new ControlStateMachine();
        this.raft =
                opening(
                        RaftHost.start(
                                RaftOptions.embedded(directory.resolve("raft"), "node-1"),
                                List.of(
                                        new GroupSpec(
                                                "control",
                                                controlMachine,
                                                store(state.resolve("control"), controlMachine)),
                                        new GroupSpec(
                                                "metadata",
                                                metadataMachine,
                                                store(state.resolve("metadata"), metadataMachine)),
                                        new GroupSpec("index", indexMachine, indexStore)),
                                kvPool,
                                BenchNode::fail));
        SecretCipher cipher = new SecretCipher(new byte[SecretCipher.MASTER_KEY_BYTES]);
        this.control = new ControlClient(raft.group("control"), cipher, clock, random);
        control.bootstrap(new Bootstrap(LAYOUT, "benchmark", "benchmark-secret"));
        ReplicatedGroup metadataGroup = raft.group("metadata");
        this.index = new IndexClient(List.of(indexGroup()), clock);
        this.metadata =
                new MetadataClient(
                        shardMap(metadataGroup),
                        clock::millis,
                        Duration.ofSeconds(20),
                        BenchNode::pause);
        this.sessions =
                opening(
                        new GatewaySessions(
                                control,
                                "node-1",
                                Duration.ofDays(1),
                                Duration.ofDays(1),
                                System::nanoTime));
        StorageSettings settings =
                StorageSettings.defaults(List.of(directory.resolve("drives").resolve("0")));
        DiskPool diskPool =
                opening(new DiskPool(settings.diskThreads(), settings.maxQueuedCalls()));
        StorageNode storage =
                opening(
                        StorageNode.open(
                                settings,
                                Set.of(INDEX, METADATA),
                                new LocalDisk(),
                                this::driveStore,
                                MessageCodec::decodeStorage,
                                clock,
                                diskPool));
        this.chunks =
                opening(
                        new LocalChunkStore(
                                settings,
                                Placement.onAll(List.of(storage)),
                                () -> control.openContainer(sessions.current()),
                                clock,
                                random,
                                diskPool));
        this.holders = new HolderStream(HOLDERS, INDEX, shard().deliver(HOLDERS, 1, List.of()));
        this.work = opening(background(storage));
        work.start();
    }

    private static void fail(Throwable cause) {
        cause.printStackTrace();
        ProcessEnd.now(1);
    }

    private static boolean pause(long millis) {
        try {
            Thread.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T extends AutoCloseable> T opening(T object) {
        opened.push(object);
        return object;
    }

    private RocksKvStore store(Path directory, StateMachine machine) {
        List<Table> tables = new ArrayList<>(machine.tables());
        tables.add(RaftGroup.POSITION_TABLE);
        return opening(RocksKvStore.open(directory, tables, resources, WriteMode.UNLOGGED));
    }

    /** Closed by the storage node. */
    private KvStore driveStore(Path directory, List<Table> tables) {
        return RocksKvStore.open(directory, tables, resources, WriteMode.SYNCED);
    }

    private static ShardMap shardMap(ReplicatedGroup group) {
        return new ShardMap() {
            @Override
            public ShardId homeOf(BucketId bucket) {
                return METADATA;
            }

            @Override
            public ReplicatedGroup groupOf(ShardId shard) {
                return group;
            }
        };
    }

    private BackgroundWork background(StorageNode storage) {
        RaftGroup metadataGroup = raft.group("metadata");
        IndexShardClient patientIndex = new IndexShardClient(INDEX, indexGroup().patient());
        Map<ShardId, IndexShardClient> shards =
                Map.of(INDEX, new IndexShardClient(INDEX, indexGroup(), indexGroup().patient()));
        ContainerNode imaginary = new ImaginaryNode();
        ExecutorService deliveries =
                opening(
                        Executors.newFixedThreadPool(
                                DELIVERY_THREADS,
                                Thread.ofPlatform().daemon().name("deliver-", 0).factory()));
        return new BackgroundWork(
                List.of(
                        new OutboxPump(
                                new ReplicatedMetadataShard(METADATA, metadataGroup.patient()),
                                shards,
                                container -> storage,
                                deliveries),
                        new OutboxPump(holders, shards, container -> storage, deliveries),
                        new OutboxPump(
                                patientIndex,
                                shards,
                                container -> Chunks.isImaginary(container) ? imaginary : storage,
                                deliveries)),
                List.of(working(metadataGroup), working(indexGroup())),
                new EpochCloser(
                        control,
                        List.of(shard()),
                        List.of(new ReplicatedMetadataShard(METADATA, metadataGroup)),
                        List.of(storage)));
    }

    private static WorkingGroup working(RaftGroup group) {
        return new WorkingGroup(group.name(), group.machine(), group.patient(), group::onApplied);
    }

    /** Takes everything and keeps nothing. */
    private static final class ImaginaryNode implements ContainerNode {
        @Override
        public long deliver(
                ContainerId container, ShardId source, long firstSequence, List<byte[]> messages) {
            return firstSequence + messages.size() - 1;
        }

        @Override
        public void refuseEpoch(int epoch) {}

        @Override
        public List<ContainerId> containersWithOrphans(int epoch) {
            return List.of();
        }
    }

    IndexClient index() {
        return index;
    }

    IndexShardClient shard() {
        return index.shards().getFirst();
    }

    RaftGroup indexGroup() {
        return raft.group("index");
    }

    TableFiles files() {
        return indexStore.files();
    }

    /** All tables of the index. */
    List<Table> tables() {
        return indexMachine.tables();
    }

    TableFiles.Figures figures() {
        TableFiles.Figures all = TableFiles.Figures.ZERO;
        for (Table table : tables()) {
            all = all.plus(files().figures(table));
        }
        return all;
    }

    StoreWork storeWork() {
        return resources.work();
    }

    Supplier<V> attempts() {
        return sessions;
    }

    HolderStream holders() {
        return holders;
    }

    ControlClient control() {
        return control;
    }

    MetadataClient metadata() {
        return metadata;
    }

    ChunkStore chunks() {
        return chunks;
    }

    /** Delivers all outboxes and works off what is pending. */
    void settle() {
        if (!work.awaitQuiet(PATIENCE)) {
            throw new IllegalStateException("the outboxes did not become empty in " + PATIENCE);
        }
    }

    /** Settles, and has everything in files: the log is drained. */
    void drain() {
        settle();
        indexGroup().flush();
    }

    /** Waits until compaction has nothing more to do. */
    void awaitCompaction() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long before = -1;
        while (System.nanoTime() < deadline) {
            long now = storeWork().compactedBytes();
            if (now == before && figures().waitingBytes() == 0) {
                return;
            }
            before = now;
            pause(1000);
        }
        throw new IllegalStateException("compaction did not come to an end in " + PATIENCE);
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException("closing the node failed", e);
            }
        }
    }
}
