package io.dedupstore.server.raft;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.state.StateMachine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link StateMachine} over a {@link KvStore} as the log of one group dictates.
 *
 * <p>Exactly once: the writes of an entry and its log position are one store batch, the store has
 * no log of its own, and applying begins behind the position found in the store. Whatever prefix
 * survives a crash, replay goes on from precisely there.
 *
 * <p>Threads: entries are applied by one thread of Ratis, in order. Replies of entries that this
 * process submitted are given there as well, which only wakes their callers. After a failure
 * nothing more is applied: Ratis itself would pass over the entry and go on.
 */
final class RatisMachine extends BaseStateMachine {
    /** What the group wants to hear. Called on threads of Ratis: returns at once. */
    interface Listener {
        void ready();

        void notLeader();

        void applied(int operations, int bytes);

        void failed(Throwable cause);
    }

    private final StateMachine machine;
    private final KvStore store;
    private final Listener listener;
    private final @Nullable LogPosition opened;
    private volatile @Nullable TermIndex flushing;
    private volatile @Nullable TermIndex flushed;
    private volatile @Nullable Throwable failure;
    private volatile boolean closing;
    private boolean checked;

    RatisMachine(StateMachine machine, KvStore store, Listener listener) {
        this.machine = machine;
        this.store = store;
        this.listener = listener;
        this.opened = LogPosition.read(store).orElse(null);
    }

    /** The position that the store had when it was opened. */
    Optional<LogPosition> opened() {
        return Optional.ofNullable(opened);
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
            throws IOException {
        super.initialize(server, group, storage);
        if (opened != null) {
            TermIndex position = TermIndex.valueOf(opened.term(), opened.index());
            setLastAppliedTermIndex(position);
            flushed = position;
        }
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        TransactionContext transaction =
                TransactionContext.newBuilder()
                        .setStateMachine(this)
                        .setClientRequest(request)
                        .build();
        if (request.getMessage() instanceof EntryMessage message) {
            transaction.setStateMachineContext(message.entry());
        }
        return transaction;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        Throwable earlier = failure;
        if (earlier != null) {
            return CompletableFuture.failedFuture(earlier);
        }
        try {
            apply(transaction);
            return CompletableFuture.completedFuture(Message.EMPTY);
        } catch (Throwable e) {
            fail(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private void apply(TransactionContext transaction) {
        checkOnce();
        LogEntryProto logEntry = transaction.getLogEntry();
        ByteString data = logEntry.getStateMachineLogEntry().getLogData();
        List<byte[]> commands = EntryCodec.decode(data.asReadOnlyByteBuffer());
        KvTransaction rows = new KvTransaction(store);
        List<byte[]> replies = new ArrayList<>(commands.size());
        for (byte[] command : commands) {
            replies.add(machine.apply(rows, command));
        }
        KvBatch batch = rows.toBatch();
        LogPosition position = new LogPosition(logEntry.getTerm(), logEntry.getIndex());
        batch.put(LogPosition.TABLE, LogPosition.KEY, position.encode());
        store.write(batch);
        updateLastAppliedTermIndex(position.term(), position.index());
        if (transaction.getStateMachineContext() instanceof Entry entry) {
            entry.complete(replies);
        }
        listener.applied(commands.size(), data.size());
    }

    /**
     * Entries of Ratis' own move the position too: the store must never lag behind what is purged.
     */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        if (failure != null) {
            return;
        }
        try {
            checkOnce();
            LogPosition position = new LogPosition(term, index);
            store.write(new KvBatch().put(LogPosition.TABLE, LogPosition.KEY, position.encode()));
            updateLastAppliedTermIndex(term, index);
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /**
     * Store and log must belong together. A log that begins behind what the store lacks, and a
     * store ahead of its log, come from restoring one without the other; Ratis would wait for ever,
     * or warn and begin a new log at the store's position. Cutting the log always leaves the entry
     * at the store's position, so that both can be told.
     */
    void checkAgainstLog() {
        RaftLog log = log();
        long applied = opened == null ? -1 : opened.index();
        TermIndex last = log.getLastEntryTermIndex();
        long end = last == null ? -1 : last.getIndex();
        boolean gap = log.getStartIndex() > applied + 1;
        boolean ahead = applied >= 0 && (end < applied || log.getStartIndex() > applied);
        if (gap || ahead) {
            throw new IllegalStateException(
                    "the store holds entries up to %d and its log has %d to %d: restore both together"
                            .formatted(applied, log.getStartIndex(), end));
        }
    }

    private void checkOnce() {
        if (!checked) {
            checkAgainstLog();
            checked = true;
        }
    }

    RaftLog log() {
        try {
            return getServer().join().getDivision(getGroupId()).getRaftLog();
        } catch (IOException e) {
            throw new IllegalStateException("the log of " + getGroupId() + " is not open", e);
        }
    }

    /**
     * The position as of now, to be handed to {@link #flushed} when the store was flushed after
     * this.
     */
    TermIndex flushing() {
        return getLastAppliedTermIndex();
    }

    /** Everything up to {@code position} would survive a crash. */
    void flushed(TermIndex position) {
        flushing = position;
    }

    /** Whether anything was applied since the last flush that Ratis knows of. */
    boolean aheadOfFlush() {
        TermIndex known = flushed;
        long index = getLastAppliedTermIndex().getIndex();
        return index >= 0 && (known == null || index > known.getIndex());
    }

    /** Entries behind the last flush that Ratis knows of. */
    long unflushedEntries() {
        TermIndex known = flushed;
        long from = known == null ? -1 : known.getIndex();
        return Math.max(0, getLastAppliedTermIndex().getIndex() - from);
    }

    /**
     * Tells Ratis of the last flush; the store was flushed before, so that applying does not wait
     * for it.
     */
    @Override
    public long takeSnapshot() {
        TermIndex position = flushing;
        if (position == null || failure != null) {
            return -1;
        }
        flushed = position;
        return position.getIndex();
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        TermIndex position = flushed;
        return position == null ? null : new FileListSnapshotInfo(List.of(), position);
    }

    @Override
    public void notifyLeaderReady() {
        listener.ready();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        listener.notLeader();
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        fail(new IllegalStateException("the log of " + getGroupId() + " cannot be written", cause));
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        unlessClosing();
    }

    /** From here on Ratis may shut the group down without it being a failure. */
    void closing() {
        closing = true;
    }

    @Override
    public void close() {
        unlessClosing();
    }

    /**
     * Ratis closes a group by itself after errors of its own, and would leave the process running.
     */
    private void unlessClosing() {
        if (!closing) {
            fail(
                    new IllegalStateException(
                            "Ratis gave the group " + getGroupId() + " up; see its log"));
        }
    }

    private void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
            listener.failed(cause);
        }
    }
}
