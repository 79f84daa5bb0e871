package io.dedupstore.server.raft;

import io.dedupstore.core.io.LocalDisk;
import io.dedupstore.core.io.WorkerPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Raft server of a process and its groups. Life: {@link #start} returns when every group
 * serves; {@link #close} flushes the stores, so that the next start has nothing to replay, and
 * takes about a second, which Ratis needs to stop its log writers. The stores are the owner's to
 * close, afterwards.
 *
 * <p>Groups with a directory are started by Ratis itself, with the members that their log names;
 * this process's own address there may be one of an earlier start, which a lone member never dials.
 */
public final class RaftHost implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftHost.class);
    private static final Duration DISK_CHECK_INTERVAL = Duration.ofSeconds(5);

    private final RaftOptions options;
    private final Consumer<Throwable> fatal;
    private final Map<RaftGroupId, RaftGroup> groups = new LinkedHashMap<>();
    private final ExecutorService background;
    private final ScheduledExecutorService diskWatch;
    private final RaftServer server;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Starts the groups and waits until all of them serve.
     *
     * @param kv pool in which queries of virtual threads run
     * @param fatal told at most once, on any thread, when the process must end: the log or a store
     *     cannot be trusted any more
     * @throws IllegalStateException log and store of a group do not belong together, or no leader
     *     was ready in time
     */
    public static RaftHost start(
            RaftOptions options, List<GroupSpec> specs, WorkerPool kv, Consumer<Throwable> fatal)
            throws IOException {
        RaftHost host = new RaftHost(options, specs, kv, fatal);
        try {
            host.startGroups();
            return host;
        } catch (IOException | RuntimeException e) {
            host.closeServer();
            throw e;
        }
    }

    private RaftHost(
            RaftOptions options, List<GroupSpec> specs, WorkerPool kv, Consumer<Throwable> fatal)
            throws IOException {
        this.options = options;
        this.fatal = fatal;
        this.background =
                Executors.newFixedThreadPool(
                        specs.size() + 1, Thread.ofPlatform().daemon().name("raft-", 0).factory());
        this.diskWatch =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("raft-disk-watch").factory());
        for (GroupSpec spec : specs) {
            RaftGroup group = new RaftGroup(spec, options, kv, background, this::fail);
            if (groups.put(group.id(), group) != null) {
                throw new IllegalArgumentException("two groups named " + spec.name());
            }
        }
        Files.createDirectories(options.directory());
        this.server =
                RaftServer.newBuilder()
                        .setServerId(RaftPeerId.valueOf(options.peer()))
                        .setProperties(RaftSettings.singleMember(options))
                        .setStateMachineRegistry(this::machineOf)
                        .setOption(
                                org.apache.ratis.server.storage.RaftStorage.StartupOption.RECOVER)
                        .build();
    }

    private org.apache.ratis.statemachine.StateMachine machineOf(RaftGroupId id) {
        RaftGroup group = groups.get(id);
        if (group == null) {
            throw new IllegalStateException(
                    options.directory() + " holds a group this process does not know: " + id);
        }
        return group.ratisMachine();
    }

    private void startGroups() throws IOException {
        checkDisk();
        for (RaftGroup group : groups.values()) {
            group.started(server);
        }
        long start = System.nanoTime();
        startServer();
        for (RaftGroup group : groups.values()) {
            if (!has(group.id())) {
                create(group);
            }
        }
        for (RaftGroup group : groups.values()) {
            group.ratisMachine().checkAgainstLog();
            group.awaitReady(options.startTimeout());
            group.replayed(Duration.ofNanos(System.nanoTime() - start));
        }
        diskWatch.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
        diskWatch.scheduleWithFixedDelay(
                this::watchDisk,
                DISK_CHECK_INTERVAL.toMillis(),
                DISK_CHECK_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void startServer() throws IOException {
        try {
            server.start();
        } catch (RuntimeException e) {
            throw new IllegalStateException(explained(e), e);
        }
    }

    /** Ratis names a group by the end of its id, and keeps the reason for the last of causes. */
    private String explained(RuntimeException failure) {
        Throwable reason = failure;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        String group =
                groups.values().stream()
                        .filter(each -> failure.toString().contains(each.id().toString()))
                        .map(each -> each.name() + " in " + logDirectory(each))
                        .findFirst()
                        .orElse("a group in " + options.directory());
        return "the log of " + group + " cannot be opened: " + reason.getMessage();
    }

    private Path logDirectory(RaftGroup group) {
        return options.directory().resolve(group.id().getUuid().toString());
    }

    private boolean has(RaftGroupId id) {
        for (RaftGroupId known : server.getGroupIds()) {
            if (known.equals(id)) {
                return true;
            }
        }
        return false;
    }

    private void create(RaftGroup group) throws IOException {
        group.ratisMachine()
                .opened()
                .ifPresent(
                        position -> {
                            throw new IllegalStateException(
                                    "%s: the store holds entries up to %d and there is no log in %s: restore both together"
                                            .formatted(
                                                    group.name(),
                                                    position.index(),
                                                    options.directory()));
                        });
        RaftPeer self =
                RaftPeer.newBuilder()
                        .setId(server.getId())
                        .setAddress(options.host() + ":" + port())
                        .build();
        org.apache.ratis.protocol.RaftGroup members =
                org.apache.ratis.protocol.RaftGroup.valueOf(group.id(), self);
        RaftClientReply reply =
                server.groupManagement(
                        GroupManagementRequest.newAdd(
                                ClientId.randomId(), server.getId(), 1, members, true));
        if (!reply.isSuccess()) {
            throw new IOException("cannot create the group " + group.name(), reply.getException());
        }
    }

    /** The port that was bound. */
    public int port() {
        return server.getServerRpc().getInetSocketAddress().getPort();
    }

    /** Bytes that the log of a group takes on its disk. */
    public long logBytes(RaftGroup group) {
        Path directory = logDirectory(group);
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException | UncheckedIOException e) {
            // A segment was purged while they were counted.
            LOG.debug("{} could not be measured", directory, e);
            return 0;
        }
    }

    /** The group of that name; it must have been among those started. */
    public RaftGroup group(String name) {
        return groups.values().stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no group " + name));
    }

    private void tick() {
        for (RaftGroup group : groups.values()) {
            try {
                group.tick();
            } catch (RuntimeException e) {
                // The store has failed or is closing, which its group tells.
                LOG.debug("{}: no look at its flushes", group.name(), e);
            }
        }
    }

    private void watchDisk() {
        try {
            checkDisk();
        } catch (IOException e) {
            LOG.error("free space of {} is unknown", options.directory(), e);
        } catch (IllegalStateException e) {
            groups.values().forEach(group -> group.halt(e));
        }
    }

    private void checkDisk() throws IOException {
        long free = new LocalDisk().usableBytes(options.directory());
        if (free < options.haltBelowBytes()) {
            throw new IllegalStateException(
                    "only %d MiB free on the disk of %s, %d are needed to run: free some"
                            .formatted(
                                    free >> 20,
                                    options.directory(),
                                    options.haltBelowBytes() >> 20));
        }
        boolean low = free < options.refuseBelowBytes();
        groups.values().forEach(group -> group.disk(low));
    }

    private void fail(Throwable cause) {
        if (failed.compareAndSet(false, true)) {
            LOG.error("replication has failed, this process must end", cause);
            fatal.accept(cause);
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        groups.values().forEach(RaftGroup::close);
        if (!failed.get()) {
            groups.values().forEach(this::flushAtClose);
        }
        closeServer();
    }

    private void flushAtClose(RaftGroup group) {
        try {
            group.flush();
        } catch (RuntimeException e) {
            LOG.error("{}: flush at close failed; the next start replays the log", group.name(), e);
        }
    }

    private void closeServer() {
        groups.values().forEach(group -> group.ratisMachine().closing());
        diskWatch.shutdownNow();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            background.shutdown();
        }
    }
}
