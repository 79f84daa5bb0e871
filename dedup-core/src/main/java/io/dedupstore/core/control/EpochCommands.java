package io.dedupstore.core.control;

import io.dedupstore.core.control.ControlProto.ClosingRow;
import io.dedupstore.core.control.ControlProto.ClusterRow;
import io.dedupstore.core.control.ControlProto.Reply;
import io.dedupstore.core.control.ControlProto.SessionRow;
import io.dedupstore.core.control.ControlProto.ShardRef;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.ShardId;
import java.util.ArrayList;
import java.util.List;

/**
 * Sessions and the closing of epochs. One closing at a time, cumulative: it takes all epochs up to
 * its own. The row says which step is under way; a step is recorded when it is done on all shards,
 * so whoever drives the closing may stop at any point and another may take over.
 */
final class EpochCommands {
    /** Rows of ended sessions removed by one entry; what is left goes with the next closing. */
    private static final int MAX_SESSIONS_DROPPED = 1024;

    private EpochCommands() {}

    static void apply(KvTransaction rows, ControlCommand.OpenSession command, Reply.Builder reply) {
        for (SessionRow earlier : sessions(rows)) {
            if (!command.keepsEarlier()
                    && earlier.getNode().equals(command.node())
                    && !earlier.getEnded()) {
                end(rows, earlier);
            }
        }
        int epoch = Math.toIntExact(ControlRows.increment(rows, Counter.LAST_EPOCH));
        int session = Math.toIntExact(ControlRows.increment(rows, Counter.LAST_SESSION));
        ControlRows.put(
                rows,
                ControlRows.key(Kind.SESSION, session),
                SessionRow.newBuilder()
                        .setEpoch(epoch)
                        .setSession(session)
                        .setNode(command.node())
                        .setOpenedMillis(command.openedMillis())
                        .build());
        reply.setEpoch(epoch).setSession(session);
    }

    static void apply(KvTransaction rows, ControlCommand.EndSession command) {
        SessionRow session =
                ControlRows.get(
                        rows,
                        ControlRows.key(Kind.SESSION, command.session().session()),
                        SessionRow.parser());
        if (session != null && session.getEpoch() == command.session().epoch()) {
            end(rows, session);
        }
    }

    /** The row of a session that may still write. */
    static SessionRow live(KvReader rows, Session session) {
        SessionRow row =
                ControlRows.get(
                        rows,
                        ControlRows.key(Kind.SESSION, session.session()),
                        SessionRow.parser());
        if (row == null || row.getEnded() || row.getEpoch() != session.epoch()) {
            throw new Refusal(
                    ControlException.Code.STALE_SESSION, "session " + session + " has ended");
        }
        return row;
    }

    static void startClosing(KvTransaction rows, Reply.Builder reply) {
        ClosingRow underWay = closing(rows);
        if (underWay.getEpoch() > 0) {
            reply.setClosing(underWay);
            return;
        }
        int epoch = lastEnded(rows);
        if (!closable(rows)) {
            return;
        }
        ClosingRow.Builder closing =
                ClosingRow.newBuilder()
                        .setEpoch(epoch)
                        .setStep(EpochClosing.Step.REFUSE_COMMITS.code());
        shards(rows)
                .forEach(
                        shard ->
                                closing.addShards(
                                        ShardRef.newBuilder()
                                                .setKind(shard.kind().code())
                                                .setNumber(shard.number())));
        ControlRows.put(rows, ControlRows.key(Kind.CLOSING), closing.build());
        reply.setClosing(closing);
    }

    static void apply(
            KvTransaction rows, ControlCommand.RecordEpochStep command, Reply.Builder reply) {
        ClosingRow closing = closing(rows);
        if (closing.getEpoch() != command.epoch() || closing.getStep() < command.done().code()) {
            refuseUnlessPast(rows, closing, command);
        }
        if (closing.getEpoch() == command.epoch() && closing.getStep() == command.done().code()) {
            closing = advance(rows, closing);
        }
        if (closing.getEpoch() > 0) {
            reply.setClosing(closing);
        }
    }

    private static void refuseUnlessPast(
            KvReader rows, ClosingRow closing, ControlCommand.RecordEpochStep command) {
        if (command.epoch() > ControlRows.counter(rows, Counter.CLOSED_EPOCH)) {
            throw new Refusal(
                    ControlException.Code.REFUSED,
                    "step %s of epoch %d is not under way, but step %d of epoch %d"
                            .formatted(
                                    command.done(),
                                    command.epoch(),
                                    closing.getStep(),
                                    closing.getEpoch()));
        }
    }

    private static ClosingRow advance(KvTransaction rows, ClosingRow closing) {
        if (closing.getStep() < EpochClosing.Step.RECLAIM_ORPHANS.code()) {
            ClosingRow next = closing.toBuilder().setStep(closing.getStep() + 1).build();
            ControlRows.put(rows, ControlRows.key(Kind.CLOSING), next);
            return next;
        }
        ControlRows.delete(rows, ControlRows.key(Kind.CLOSING));
        ControlRows.setCounter(rows, Counter.CLOSED_EPOCH, closing.getEpoch());
        sessions(rows).stream()
                .filter(session -> session.getEpoch() <= closing.getEpoch())
                .limit(MAX_SESSIONS_DROPPED)
                .forEach(
                        session ->
                                ControlRows.delete(
                                        rows, ControlRows.key(Kind.SESSION, session.getSession())));
        return ClosingRow.getDefaultInstance();
    }

    /** The closing under way; epoch 0 when there is none. */
    static ClosingRow closing(KvReader rows) {
        ClosingRow closing =
                ControlRows.get(rows, ControlRows.key(Kind.CLOSING), ClosingRow.parser());
        return closing == null ? ClosingRow.getDefaultInstance() : closing;
    }

    static List<SessionRow> sessions(KvReader rows) {
        return ControlRows.list(rows, Kind.SESSION, SessionRow.parser());
    }

    /** Whether the latest epoch up to which all sessions have ended is still to be closed. */
    static boolean closable(KvReader rows) {
        return lastEnded(rows) > ControlRows.counter(rows, Counter.CLOSED_EPOCH);
    }

    /** The latest epoch up to which no session is alive. */
    private static int lastEnded(KvReader rows) {
        int latest = Math.toIntExact(ControlRows.counter(rows, Counter.LAST_EPOCH));
        for (SessionRow session : sessions(rows)) {
            if (!session.getEnded()) {
                latest = Math.min(latest, session.getEpoch() - 1);
            }
        }
        return latest;
    }

    private static void end(KvTransaction rows, SessionRow session) {
        ControlRows.put(
                rows,
                ControlRows.key(Kind.SESSION, session.getSession()),
                session.toBuilder().setEnded(true).build());
    }

    private static List<ShardId> shards(KvReader rows) {
        ClusterRow cluster =
                ControlRows.get(rows, ControlRows.key(Kind.CLUSTER), ClusterRow.parser());
        if (cluster == null) {
            throw new IllegalStateException("there is no cluster");
        }
        ClusterLayout layout =
                new ClusterLayout(cluster.getIndexShards(), cluster.getMetadataShards());
        List<ShardId> shards = new ArrayList<>(layout.metadata());
        shards.addAll(layout.index());
        return shards;
    }
}
