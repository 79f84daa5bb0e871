package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.state.Inbox;
import java.util.ArrayList;
import java.util.List;

/**
 * A shard is made anew from manifests: first everything it holds is wiped, in steps, then it is
 * filled, then it goes on. In between it takes no claims and no items of streams, so that nothing
 * is counted twice and nothing is freed. A rebuild that is broken off begins anew.
 *
 * <p>Streams to containers are not wiped: what they hold was decided rightly.
 */
final class Rebuilding {
    /** Rows that one step wipes. */
    static final int STEP_ROWS = 4_000;

    private static final List<Table> WIPED =
            List.of(
                    IndexTables.UNIQUE,
                    IndexTables.DUPLICATE,
                    IndexTables.ZOMBIES,
                    IndexTables.GHOSTS,
                    IndexTables.INTENTS,
                    IndexTables.ANSWERS,
                    IndexTables.SETTLING,
                    IndexTables.TOMBSTONES);

    private final ShardTransaction shard;

    Rebuilding(ShardTransaction shard) {
        this.shard = shard;
    }

    static IndexReply.Refused refused() {
        return new IndexReply.Refused(
                IndexReply.Refused.Code.REBUILDING, "the shard is being rebuilt");
    }

    IndexReply begin(IndexCommand.BeginRebuild begin) {
        ShardState state = shard.state;
        state.rebuild = ShardState.Rebuild.WIPING;
        state.refusedEpoch = Math.max(state.refusedEpoch, begin.refusedEpoch());
        state.forgottenEpoch = Math.max(state.forgottenEpoch, begin.forgottenEpoch());
        return new IndexReply.Done();
    }

    /** One bounded step. */
    void wipe() {
        int left = STEP_ROWS;
        for (Table table : WIPED) {
            left -= wipe(table, left);
            if (left <= 0) {
                return;
            }
        }
        HistogramRows.wipe(shard.rows, shard.prefix);
        shard.audit.wipe();
        shard.state.wiped();
    }

    private int wipe(Table table, int most) {
        List<byte[]> keys = new ArrayList<>();
        try (KvCursor cursor =
                shard.rows.scan(table, shard.prefix, Bytes.successorOfPrefix(shard.prefix))) {
            while (keys.size() < most && cursor.next()) {
                keys.add(cursor.key());
            }
        }
        keys.forEach(key -> shard.rows.delete(table, key));
        return keys.size();
    }

    IndexReply resume(List<StreamPosition> streams) {
        if (shard.state.rebuild == ShardState.Rebuild.NONE) {
            return notBegun();
        }
        for (StreamPosition stream : streams) {
            shard.outbox.resume(shard.rows, stream.stream(), stream.upTo());
        }
        return new IndexReply.Done();
    }

    private static IndexReply notBegun() {
        return new IndexReply.Refused(
                IndexReply.Refused.Code.TOO_EARLY, "the shard is not ready to be filled");
    }

    IndexReply fill(IndexCommand.Rebuild rebuild) {
        if (shard.state.rebuild != ShardState.Rebuild.FILLING) {
            return notBegun();
        }
        shard.state.time = Math.max(shard.state.time, rebuild.timeSeconds());
        shard.entries.load(rebuild.entries().stream().map(RebuiltEntry::fingerprint).toList());
        for (RebuiltEntry entry : rebuild.entries()) {
            shard.entries
                    .of(entry.fingerprint())
                    .set(
                            new Entry(
                                    entry.address(),
                                    entry.length(),
                                    entry.references(),
                                    shard.state.time,
                                    entry.suspect()));
            adopt(entry);
        }
        for (RebuiltEntry entry : rebuild.forgotten()) {
            shard.state.pruned += entry.references();
            shard.state.prunedBytes += entry.references() * entry.length();
            shard.audit.prune(
                    ReferenceSum.of(entry.fingerprint(), entry.address())
                            .times(entry.references()));
            adopt(entry);
        }
        for (ChunkAddress address : rebuild.freed()) {
            shard.storage.free(address);
        }
        return new IndexReply.Done();
    }

    private void adopt(RebuiltEntry entry) {
        if (entry.adopt()) {
            shard.storage.adopt(entry.address());
        }
    }

    IndexReply finish(List<IndexCommand.Source> sources) {
        if (shard.state.rebuild != ShardState.Rebuild.FILLING) {
            return notBegun();
        }
        Inbox inbox = new Inbox(new Destination.Shard(shard.shard));
        for (IndexCommand.Source source : sources) {
            inbox.applied(shard.rows, source.shard(), source.applied());
            shard.audit.begin(source.shard(), source.sum());
        }
        shard.state.rebuild = ShardState.Rebuild.NONE;
        return new IndexReply.Done();
    }
}
