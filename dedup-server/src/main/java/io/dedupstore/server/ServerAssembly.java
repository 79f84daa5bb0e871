package io.dedupstore.server;

import io.dedupstore.core.control.AccessKey;
import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.NamedKey;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.io.LocalDisk;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.core.object.DomainKeys;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.server.cluster.GatewaySessions;
import io.dedupstore.server.config.Durability;
import io.dedupstore.server.config.HashConfig;
import io.dedupstore.server.config.ServerConfig;
import io.dedupstore.server.config.StorageConfig;
import io.dedupstore.server.keys.EncryptionKeys;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the process with plain constructors, bottom up, and takes it down in the opposite order:
 *
 * <pre>
 *   data directory ► Raft groups (control, metadata, index) ► session ► storage node
 *     ► background work ► object writer and reader ► S3 and admin ports
 * </pre>
 *
 * Every role runs here; a role that runs elsewhere is reached through the same interfaces.
 */
final class ServerAssembly implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerAssembly.class);
    private static final String NODE = "node-1";
    private static final Duration RENEW_SESSION_AFTER = Duration.ofHours(1);

    /** An attempt takes an hour at most, see {@link ObjectWriter}, and then commits. */
    private static final Duration KEEP_SESSION_FOR = Duration.ofMinutes(75);

    private static final Duration MEMORY_PATIENCE = Duration.ofSeconds(10);

    private final ServerConfig config;
    private final InstantSource clock = InstantSource.system();
    private final SecureRandom random = new SecureRandom();
    private final Closing closing = new Closing();
    private final boolean isNew;
    private final RootCredentials credentials;

    private ServerAssembly(ServerConfig config, Consumer<Throwable> fatal) throws IOException {
        this.config = config;
        DirectMemory.check(config.memory().requestsBytes(), DirectMemory.limitBytes());
        try {
            DataDirectory directory =
                    closing.add(DataDirectory.open(config.storage().dataDirectory()));
            NodeCore core = closing.add(new NodeCore(config, directory, random, clock, fatal));
            RootCredentials kept =
                    RootCredentials.read(directory)
                            .orElseGet(() -> RootCredentials.generate(random));
            this.isNew = core.bootstrap(kept);
            RootCredentials current = current(kept, core.control());
            if (!isNew) {
                LostIndex.fence(core.index().shards(), core.control());
            }
            GatewaySessions sessions =
                    new GatewaySessions(
                            core.control(),
                            NODE,
                            RENEW_SESSION_AFTER,
                            KEEP_SESSION_FOR,
                            System::nanoTime);
            this.credentials = serve(directory, core, sessions, current);
        } catch (IOException | RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    /**
     * Starts everything and returns when S3 is served.
     *
     * @param fatal ends the process when log or stores can no longer be trusted
     * @throws StartException with a message for people
     */
    static ServerAssembly start(ServerConfig config, Consumer<Throwable> fatal) {
        try {
            return new ServerAssembly(config, fatal);
        } catch (IOException e) {
            throw new StartException("cannot start: " + e.getMessage(), e);
        }
    }

    private RootCredentials serve(
            DataDirectory directory,
            NodeCore core,
            GatewaySessions sessions,
            RootCredentials current)
            throws IOException {
        WorkerPool hashPool =
                closing.add(new WorkerPool("hash", Runtime.getRuntime().availableProcessors()));
        StorageSettings settings = storageSettings(config, directory);
        DiskPool diskPool =
                closing.add(new DiskPool(settings.diskThreads(), settings.maxQueuedCalls()));
        StorageNode storage =
                closing.add(
                        StorageNode.open(
                                settings,
                                shards(core.control()),
                                new LocalDisk(),
                                core.stores()::drive,
                                MessageCodec::decodeStorage,
                                clock,
                                diskPool));
        LocalChunkStore chunks =
                closing.add(
                        new LocalChunkStore(
                                settings,
                                Placement.onAll(List.of(storage)),
                                () -> core.control().openContainer(sessions.current()),
                                clock,
                                random,
                                diskPool));
        Background background =
                closing.add(new Background(config.maintenance(), core, storage, chunks, sessions));
        IndexUpkeep upkeep = closing.add(new IndexUpkeep(config, core, sessions, storage, clock));
        LifecycleUpkeep lifecycle =
                closing.add(new LifecycleUpkeep(config.maintenance(), core, sessions, clock));
        BufferBudget budget = new BufferBudget(config.memory().requestsBytes(), MEMORY_PATIENCE);
        HashEngine engine = closing.add(hashEngine(config.hash()));
        EncryptionKeys keys = new EncryptionKeys(core.control(), random);
        makeKeys(core.control());
        ObjectWriter writer =
                new ObjectWriter(
                        core.index(),
                        chunks,
                        core.metadata(),
                        sessions,
                        new DomainKeys(engine, keys::fingerprintKey),
                        engine,
                        hashPool,
                        budget,
                        System::nanoTime);
        ObjectReader reader = new ObjectReader(chunks, core.metadata(), budget, keys);
        Front front =
                closing.add(
                        new Front(
                                config,
                                directory,
                                core,
                                storage,
                                background,
                                upkeep,
                                lifecycle,
                                writer,
                                reader,
                                engine,
                                keys,
                                budget,
                                current.adminToken(),
                                clock,
                                random));
        background.start();
        upkeep.start();
        lifecycle.start();
        storage.startMaintenance();
        RootCredentials served = current.withEndpoints(front.s3Endpoint(), front.adminEndpoint());
        served.write(directory);
        front.ready();
        return served;
    }

    /** Named keys that the configuration wants. */
    private void makeKeys(ControlService control) {
        Set<String> present =
                control.namedKeys().stream().map(NamedKey::id).collect(Collectors.toSet());
        for (String id : config.encryption().keys()) {
            if (present.add(id)) {
                try {
                    control.createKey(id, "made at a start, by encryption.keys");
                } catch (ControlException e) {
                    throw new StartException("encryption.keys: " + id + ": " + e.getMessage(), e);
                }
            }
        }
    }

    /** The control group's word counts: the file may be lost, or older than a change of keys. */
    private static RootCredentials current(RootCredentials kept, ControlService control) {
        List<String> keys = control.accessKeysOf(control.rootAccount().id());
        String name = keys.contains(kept.accessKey()) ? kept.accessKey() : keys.getFirst();
        AccessKey key =
                control.findAccessKey(name)
                        .orElseThrow(() -> new StartException("the root account has no key"));
        return new RootCredentials(key.accessKey(), key.secretKey(), kept.adminToken(), "", "");
    }

    private static HashEngine hashEngine(HashConfig config) {
        try {
            return HashEngine.start(config.settings());
        } catch (IllegalStateException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Set<ShardId> shards(ControlService control) {
        Set<ShardId> all = new HashSet<>(control.layout().index());
        all.addAll(control.layout().metadata());
        return all;
    }

    private static StorageSettings storageSettings(ServerConfig server, DataDirectory directory) {
        StorageConfig config = server.storage();
        boolean scrubs = server.maintenance().scrubRate() > 0;
        Path drive = directory.resolve("drives").resolve("0");
        StorageSettings defaults = StorageSettings.defaults(List.of(drive));
        return new StorageSettings(
                defaults.drives(),
                config.containerBytes(),
                config.checksum(),
                config.durability() == Durability.FSYNC
                        ? StorageSettings.Durability.FSYNC
                        : StorageSettings.Durability.RELAXED,
                defaults.minFreeBytes(),
                config.freedSlotGrace(),
                defaults.compactAtDeadPercent(),
                server.maintenance().compactionRate(),
                scrubs ? server.maintenance().scrubRate() : defaults.scrubBytesPerSecond(),
                scrubs ? server.maintenance().scrubInterval() : Duration.ZERO,
                defaults.maintenanceInterval(),
                defaults.directoryCacheBytes(),
                defaults.maxOpenFiles(),
                defaults.diskThreads(),
                defaults.maxQueuedCalls());
    }

    /** As in {@code root-credentials.json}, endpoints included. */
    RootCredentials credentials() {
        return credentials;
    }

    /** Whether this start made the store. */
    boolean isNew() {
        return isNew;
    }

    @Override
    public void close() {
        closing.close();
    }
}
