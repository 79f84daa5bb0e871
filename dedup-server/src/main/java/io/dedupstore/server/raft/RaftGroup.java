package io.dedupstore.server.raft;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.ReplicationException.Code;
import io.dedupstore.core.state.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Raft group of which this process is the only member.
 *
 * <p><b>Commands</b> are merged into log entries by {@link CommandMerger} and submitted to Ratis in
 * process. A reply means: the entry is in the log on disk, its writes are in the store. Each caller
 * waits at most the submit timeout; a command still waiting to leave is then taken back, one that
 * has left has an unknown outcome.
 *
 * <p><b>Reads are linearizable</b> without any message, because of three facts. (1) The only member
 * is the only possible leader: no other process can acknowledge anything. (2) A reply is given
 * after the writes are in the store, so whatever was acknowledged by this process before a read
 * began is visible to it. (3) What an earlier process acknowledged is in the log; the gate stays
 * shut until Ratis reports the leader ready, which is when the first entry of the new term, behind
 * all of those, was applied. (The commit index proves nothing at that moment: it is known before
 * the entries are applied.) A query sees one consistent view of the store, that of some moment
 * after the call. With a second member facts 1 and 2 fall, and a read needs a majority's word for
 * the leader's term; this class must not be used then.
 *
 * <p><b>Flush.</b> After so many operations or bytes the store is flushed beside the running apply,
 * then Ratis is told the position noted before the flush and cuts its log, tail excepted.
 *
 * <p><b>Failure.</b> Whatever goes wrong in the log or the store ends in the {@code fatal}
 * consumer, once; from then on nothing is accepted, applied or read.
 *
 * <p>Threads: callers block on a future; queries of virtual threads run in the {@code kv} pool.
 */
public final class RaftGroup implements ReplicatedGroup {
    /** The table a store must have besides those of its state machine. */
    public static final Table POSITION_TABLE = LogPosition.TABLE;

    private static final Logger LOG = LoggerFactory.getLogger(RaftGroup.class);
    private static final long SNAPSHOT_TIMEOUT_MILLIS = 60_000;

    private final String name;
    private final RaftOptions options;
    private final RaftGroupId id;
    private final KvStore store;
    private final StateMachine machine;
    private final WorkerPool kv;
    private final ExecutorService background;
    private final Consumer<Throwable> fatal;
    private final RatisMachine ratis;
    private final CommandMerger merger;
    private final ReadyGate gate = new ReadyGate();
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicBoolean snapshotQueued = new AtomicBoolean();
    private final AtomicLong operationsSinceFlush = new AtomicLong();
    private final AtomicLong bytesSinceFlush = new AtomicLong();
    private final List<Runnable> appliedListeners = new CopyOnWriteArrayList<>();
    private volatile boolean lowOnDisk;
    private volatile RaftServer server;

    RaftGroup(
            GroupSpec spec,
            RaftOptions options,
            WorkerPool kv,
            ExecutorService background,
            Consumer<Throwable> fatal) {
        this.name = spec.name();
        this.id = spec.id();
        this.options = options;
        this.store = spec.store();
        this.machine = spec.machine();
        this.kv = kv;
        this.background = background;
        this.fatal = fatal;
        this.ratis = new RatisMachine(machine, store, new Events());
        this.merger = new CommandMerger(this::send, background);
    }

    public String name() {
        return name;
    }

    public StateMachine machine() {
        return machine;
    }

    /**
     * Where the group stands.
     *
     * @param committed index of the last entry that is safe
     * @param applied index of the last entry in the store
     */
    public record Position(boolean leader, long term, long committed, long applied) {}

    public Position position() {
        try {
            RaftServer.Division division = server.getDivision(id);
            return new Position(
                    division.getInfo().isLeaderReady(),
                    division.getInfo().getCurrentTerm(),
                    division.getRaftLog().getLastCommittedIndex(),
                    division.getInfo().getLastAppliedIndex());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Calls {@code listener} after each applied entry, on the applying thread: it returns at once.
     */
    public void onApplied(Runnable listener) {
        appliedListeners.add(listener);
    }

    @Override
    public byte[] submit(byte[] command) {
        long deadline = System.nanoTime() + options.submitTimeout().toNanos();
        if (lowOnDisk) {
            throw new ReplicationException(
                    Code.NOT_ACCEPTED,
                    "less than %d MiB free on the disk of %s: free some"
                            .formatted(options.refuseBelowBytes() >> 20, options.directory()));
        }
        gate.pass(options.submitTimeout());
        Operation operation = new Operation(command);
        merger.submit(operation);
        return await(operation, deadline);
    }

    private byte[] await(Operation operation, long deadline) {
        try {
            return operation.reply().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw copyOf(e.getCause());
        } catch (TimeoutException e) {
            throw gaveUp(operation, "no reply within " + options.submitTimeout(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw gaveUp(operation, "interrupted", e);
        }
    }

    private ReplicationException gaveUp(Operation operation, String why, Exception cause) {
        Code code = merger.withdraw(operation) ? Code.NOT_ACCEPTED : Code.UNKNOWN;
        return new ReplicationException(code, name + ": " + why, cause);
    }

    /** A failure is shared by all operations of an entry; each caller gets its own stack trace. */
    private ReplicationException copyOf(Throwable cause) {
        Code code = cause instanceof ReplicationException known ? known.code() : Code.UNKNOWN;
        return new ReplicationException(code, name + ": " + cause.getMessage(), cause);
    }

    @Override
    public <T> T read(Function<KvReader, T> query) {
        gate.pass(options.submitTimeout());
        return inStore(query);
    }

    @Override
    public <T> T readLocal(Function<KvReader, T> query) {
        return inStore(query);
    }

    private <T> T inStore(Function<KvReader, T> query) {
        return Thread.currentThread().isVirtual()
                ? kv.call(() -> inSnapshot(query))
                : inSnapshot(query);
    }

    private <T> T inSnapshot(Function<KvReader, T> query) {
        try (KvSnapshot snapshot = store.snapshot()) {
            return query.apply(snapshot);
        } catch (KvException e) {
            if (e.code() == KvException.Code.FAILED) {
                halt(e);
            }
            throw e;
        }
    }

    /** Flushes the store and cuts the log; returns when done. Not for virtual threads. */
    public void flush() {
        if (!ratis.aheadOfFlush()) {
            return;
        }
        operationsSinceFlush.set(0);
        bytesSinceFlush.set(0);
        TermIndex position = ratis.flushing();
        try {
            store.flush();
        } catch (RuntimeException e) {
            halt(e);
            throw e;
        }
        ratis.flushed(position);
        cutLog();
    }

    private void cutLog() {
        SnapshotManagementRequest request =
                SnapshotManagementRequest.newCreate(
                        client,
                        server.getId(),
                        id,
                        calls.incrementAndGet(),
                        SNAPSHOT_TIMEOUT_MILLIS,
                        1);
        try {
            RaftClientReply reply = server.snapshotManagement(request);
            if (!reply.isSuccess()) {
                LOG.warn("{}: the log was not cut: {}", name, String.valueOf(reply.getException()));
            }
        } catch (IOException e) {
            LOG.warn("{}: the log was not cut", name, e);
        }
    }

    private CompletableFuture<?> send(Entry entry) {
        RaftClientRequest request =
                RaftClientRequest.newBuilder()
                        .setClientId(client)
                        .setServerId(server.getId())
                        .setGroupId(id)
                        .setCallId(calls.incrementAndGet())
                        .setMessage(EntryMessage.of(entry))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        try {
            return server.submitClientRequestAsync(request).thenAccept(RaftGroup::check);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void check(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw RaftFailures.toReplicationException(reply.getException());
        }
    }

    RaftGroupId id() {
        return id;
    }

    RatisMachine ratisMachine() {
        return ratis;
    }

    void started(RaftServer raftServer) {
        this.server = raftServer;
    }

    /** Returns when commands and reads are served. */
    void awaitReady(Duration timeout) {
        gate.pass(timeout);
    }

    void disk(boolean low) {
        if (low != lowOnDisk) {
            LOG.warn(
                    "{}: {}",
                    name,
                    low ? "refusing commands, the disk is nearly full" : "disk is fine");
        }
        lowOnDisk = low;
    }

    void halt(Throwable cause) {
        stop(new ReplicationException(Code.UNKNOWN, name + " has failed: " + cause, cause));
        fatal.accept(cause);
    }

    /** Accepts nothing more; what waits is refused, what is on its way finishes. */
    void close() {
        stop(new ReplicationException(Code.NOT_ACCEPTED, name + " is shutting down"));
    }

    private void stop(ReplicationException reason) {
        gate.breakForGood(reason);
        merger.close(reason);
    }

    private void flushIfDue() {
        boolean due =
                operationsSinceFlush.get() >= options.snapshotOperations()
                        || bytesSinceFlush.get() >= options.snapshotLogBytes();
        if (due && snapshotQueued.compareAndSet(false, true)) {
            try {
                background.execute(this::flushInBackground);
            } catch (RejectedExecutionException e) {
                LOG.debug("{}: shutting down, which flushes", name);
            }
        }
    }

    private void flushInBackground() {
        try {
            flush();
        } catch (RuntimeException e) {
            LOG.error("{}: flush failed", name, e);
        } finally {
            snapshotQueued.set(false);
        }
    }

    private final class Events implements RatisMachine.Listener {
        @Override
        public void ready() {
            gate.open();
        }

        @Override
        public void notLeader() {
            gate.shut();
        }

        @Override
        public void applied(int operations, int bytes) {
            operationsSinceFlush.addAndGet(operations);
            bytesSinceFlush.addAndGet(bytes);
            flushIfDue();
            appliedListeners.forEach(Runnable::run);
        }

        @Override
        public void failed(Throwable cause) {
            halt(cause);
        }
    }
}
