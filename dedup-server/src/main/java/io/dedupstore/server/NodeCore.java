package io.dedupstore.server;

import io.dedupstore.core.control.Bootstrap;
import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.control.ControlClient;
import io.dedupstore.core.control.ControlStateMachine;
import io.dedupstore.core.control.SecretCipher;
import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.StoreLimits;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataStateMachine;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.server.config.MaintenanceConfig;
import io.dedupstore.server.config.ServerConfig;
import io.dedupstore.server.raft.GroupSpec;
import io.dedupstore.server.raft.Pacing;
import io.dedupstore.server.raft.RaftGroup;
import io.dedupstore.server.raft.RaftHost;
import io.dedupstore.server.raft.RaftOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * The replicated roles of a node: control, metadata and index groups over their stores, and the
 * clients the other roles reach them by. Embedded, each group has this process as its only member.
 */
final class NodeCore implements AutoCloseable {
    /** What a new embedded cluster is made with, for its whole life. */
    private static final ClusterLayout LAYOUT = new ClusterLayout(1, 1);

    private static final String CONTROL = "control";
    private static final String METADATA = "metadata";
    private static final String INDEX = "index";
    private static final int KV_THREADS = 4;
    private static final Duration AVOID_INDEX_FOR = Duration.ofSeconds(5);
    private static final Duration METADATA_DEADLINE = Duration.ofSeconds(20);

    private final WorkerPool kvPool;
    private final NodeStores stores;
    private final RaftHost raft;
    private final ControlClient control;
    private final IndexClient index;
    private final MetadataClient metadata;
    private final ShardMap shards;
    private final GroupSpec indexSpec;
    private final Path scratch;
    private final InstantSource clock;

    NodeCore(
            ServerConfig config,
            DataDirectory directory,
            SecureRandom random,
            InstantSource clock,
            Consumer<Throwable> fatal)
            throws IOException {
        Path state = directory.resolve("state");
        boolean isNew = !Files.exists(directory.resolve("raft"));
        SecretCipher cipher = MasterKey.open(directory, isNew, random);
        this.kvPool = new WorkerPool("kv", KV_THREADS);
        Path log = GroupSpec.directory(directory.resolve("raft"), INDEX);
        if (!isNew) {
            LostIndex.prepare(
                    config.storage().indexDirectory(),
                    log,
                    config.storage().rebuildIndex(),
                    clock.instant());
        }
        this.scratch = directory.resolve("scratch");
        this.clock = clock;
        this.stores = new NodeStores(StoreLimits.DEFAULT);
        this.indexSpec =
                stores.group(
                        INDEX,
                        config.storage().indexDirectory(),
                        new IndexStateMachine(LAYOUT.index()));
        this.raft =
                RaftHost.start(
                        raftOptions(config.maintenance(), directory.resolve("raft")),
                        List.of(
                                stores.group(
                                        CONTROL, state.resolve(CONTROL), new ControlStateMachine()),
                                stores.group(
                                        METADATA,
                                        state.resolve(METADATA),
                                        new MetadataStateMachine(
                                                LAYOUT.metadata(), LAYOUT.indexShards())),
                                indexSpec),
                        kvPool,
                        fatal);
        this.shards = shardMap(raft.group(METADATA));
        this.control = new ControlClient(raft.group(CONTROL), cipher, clock, random);
        this.index = new IndexClient(List.of(raft.group(INDEX)), clock, AVOID_INDEX_FOR);
        this.metadata =
                new MetadataClient(shards, clock::millis, METADATA_DEADLINE, NodeCore::pause);
    }

    private static RaftOptions raftOptions(MaintenanceConfig config, Path directory) {
        Pacing usual = Pacing.DEFAULT;
        double most = config.backgroundSharePercent() / 100.0;
        Pacing pacing =
                new Pacing(
                        config.flushPacing(),
                        usual.hardFactor(),
                        usual.leastFileBytesPerSecond(),
                        usual.idle(),
                        config.backgroundSharePercent() == 100
                                ? 1
                                : Math.min(most, usual.leastShare()),
                        most);
        return RaftOptions.embedded(directory, "node-1")
                .withSnapshotEvery(config.replayOperations(), config.replayLogBytes())
                .withPacing(pacing);
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

    private static ShardMap shardMap(ReplicatedGroup group) {
        return new ShardMap() {
            @Override
            public ShardId homeOf(BucketId bucket) {
                return ShardId.metadata(0);
            }

            @Override
            public ReplicatedGroup groupOf(ShardId shard) {
                return group;
            }
        };
    }

    /**
     * Makes the cluster if there is none.
     *
     * @return whether it was made now
     */
    boolean bootstrap(RootCredentials credentials) {
        boolean made = !control.bootstrapped();
        control.bootstrap(new Bootstrap(LAYOUT, credentials.accessKey(), credentials.secretKey()));
        if (!control.layout().equals(LAYOUT)) {
            throw new StartException(
                    "this directory belongs to a cluster of another layout: " + control.layout());
        }
        return made;
    }

    ControlClient control() {
        return control;
    }

    IndexClient index() {
        return index;
    }

    MetadataClient metadata() {
        return metadata;
    }

    ShardMap shards() {
        return shards;
    }

    NodeStores stores() {
        return stores;
    }

    /**
     * What the fingerprint index takes on its drives: its tables, and the log that comes before.
     */
    long indexBytes() {
        long tables = indexTables().stream().mapToLong(indexSpec.store()::sizeBytes).sum();
        return tables + indexLogBytes();
    }

    long indexLogBytes() {
        return raft.logBytes(indexGroup());
    }

    /** All tables of the fingerprint index. */
    List<Table> indexTables() {
        return indexSpec.machine().tables();
    }

    TableFiles indexFiles() {
        return stores.files(INDEX);
    }

    List<RaftGroup> groups() {
        return List.of(raft.group(CONTROL), raft.group(METADATA), raft.group(INDEX));
    }

    /** For files that mean nothing after a restart. */
    Path scratch() {
        return scratch;
    }

    /** Since 1970. */
    long seconds() {
        return clock.instant().getEpochSecond();
    }

    RaftGroup metadataGroup() {
        return raft.group(METADATA);
    }

    RaftGroup indexGroup() {
        return raft.group(INDEX);
    }

    /** Stops Raft, which flushes the stores, then closes them and those of the drives. */
    @Override
    public void close() {
        raft.close();
        stores.close();
        kvPool.close();
    }
}
