package io.dedupstore.server.raft;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.maintenance.FlushPacer;
import io.dedupstore.core.maintenance.SharePacer;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.server.RaftServer;
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
 * <p><b>Flush.</b> By so many operations or bytes the store is flushed beside the running apply,
 * see {@link GroupFlusher}; then Ratis is told the position noted before the flush and cuts its
 * log, tail excepted.
 *
 * <p><b>Work that can wait</b> goes through {@link #patient}: behind the commands of requests, and
 * not more of it than those bear.
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
    private final Consumer<Throwable> fatal;
    private final RatisMachine ratis;
    private final CommandMerger merger;
    private final ReadyGate gate = new ReadyGate();
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final SharePacer pacer;
    private final PatientGroup patient;
    private final GroupFlusher flusher;
    private final AtomicLong appliedOperations = new AtomicLong();
    private final AtomicLong appliedBytes = new AtomicLong();
    private volatile Replay replay = Replay.NOTHING;
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
        this.fatal = fatal;
        this.ratis = new RatisMachine(machine, store, new Events());
        this.merger = new CommandMerger(this::send, background, System::nanoTime);
        this.pacer = new SharePacer(options.pacing().leastShare(), options.pacing().mostShare());
        this.patient = new PatientGroup(this, pacer);
        this.flusher =
                new GroupFlusher(name, store, ratis, options, this::cutLog, this::halt, background);
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

    /**
     * What was replayed when the process started.
     *
     * @param entries of the log
     * @param operations in them
     * @param bytes of them
     */
    public record Replay(long entries, long operations, long bytes, Duration duration) {
        static final Replay NOTHING = new Replay(0, 0, 0, Duration.ZERO);
    }

    public Replay lastReplay() {
        return replay;
    }

    /** How flushing stands: what a crash would leave to replay, and at which pace it goes. */
    public FlushPacer.Figures flushing() {
        return flusher.figures();
    }

    /** Log entries behind the last flush: what a crash would leave to replay, at most. */
    public long unflushedEntries() {
        return ratis.unflushedEntries();
    }

    /** Share of the time that commands which can wait have while requests come. */
    public double patientShare() {
        return pacer.share();
    }

    /**
     * The group for commands that can wait: deliveries, releases, prunes. They go one at a time,
     * behind those of requests, with rests between them while there are any.
     */
    public ReplicatedGroup patient() {
        return patient;
    }

    /** Decides how work of another kind rests so that requests to this group do not suffer. */
    public SharePacer pacer() {
        return pacer;
    }

    /** Files of the store are written at no more than this; Long.MAX_VALUE takes it back. */
    public void capFileRate(long bytesPerSecond) {
        flusher.capFileRate(bytesPerSecond);
    }

    @Override
    public byte[] submit(byte[] command) {
        holdBack();
        long start = System.nanoTime();
        long turns = merger.patientTurns();
        Operation operation = new Operation(command);
        byte[] reply = submit(operation, false);
        long now = System.nanoTime();
        boolean disturbed = (turns & 1) != 0 || merger.patientTurns() != turns;
        pacer.request(now - start, disturbed, now);
        return reply;
    }

    /** Writers slow down while flushes cannot keep up. */
    private void holdBack() {
        Duration delay = flusher.delay();
        if (delay.isPositive()) {
            try {
                Thread.sleep(delay);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    byte[] submitPatiently(Operation operation) {
        return submit(operation, true);
    }

    private byte[] submit(Operation operation, boolean canWait) {
        long deadline = System.nanoTime() + options.submitTimeout().toNanos();
        if (lowOnDisk) {
            throw new ReplicationException(
                    Code.NOT_ACCEPTED,
                    "less than %d MiB free on the disk of %s: free some"
                            .formatted(options.refuseBelowBytes() >> 20, options.directory()));
        }
        gate.pass(options.submitTimeout());
        if (canWait) {
            merger.submitPatiently(operation);
        } else {
            merger.submit(operation);
        }
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
        flusher.flush(true);
    }

    /** Now and then, for what has to be done when nothing is applied. */
    void tick() {
        flusher.tick();
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

    /**
     * Notes what starting took, once ready.
     *
     * @param duration since the log began to be read
     */
    void replayed(Duration duration) {
        long from = ratis.opened().map(LogPosition::index).orElse(-1L);
        long entries = Math.max(0, position().applied() - from);
        replay = new Replay(entries, appliedOperations.get(), appliedBytes.get(), duration);
        LOG.info(
                "{}: replayed {} entries with {} operations in {} ms",
                name,
                entries,
                replay.operations(),
                duration.toMillis());
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
            appliedOperations.addAndGet(operations);
            appliedBytes.addAndGet(bytes);
            flusher.applied(operations, bytes);
            appliedListeners.forEach(Runnable::run);
        }

        @Override
        public void failed(Throwable cause) {
            halt(cause);
        }
    }
}
