package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.StorageMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * The index side of closing an epoch. The control group takes the steps in order over all shards;
 * each step here also asks for the one before on this shard.
 */
final class Epochs {
    /** Tombstones that one step removes. */
    static final int STEP_TOMBSTONES = 4_000;

    private final ShardTransaction shard;

    Epochs(ShardTransaction shard) {
        this.shard = shard;
    }

    IndexReply refuse(int epoch) {
        shard.state.refusedEpoch = Math.max(shard.state.refusedEpoch, epoch);
        if (shard.state.rebuild == ShardState.Rebuild.NONE) {
            new Settlement(shard, StepSize.UNSAID).takeUpForgotten(epoch);
        }
        return new IndexReply.Done();
    }

    IndexReply forget(int epoch) {
        if (epoch > shard.state.refusedEpoch
                || shard.state.rebuild != ShardState.Rebuild.NONE
                || !settled(shard.rows, shard.prefix, epoch)) {
            return tooEarly("epoch " + epoch + " is not yet refused and settled");
        }
        shard.state.forgottenEpoch = Math.max(shard.state.forgottenEpoch, epoch);
        return new IndexReply.Done();
    }

    IndexReply announceClosed(int epoch, List<ContainerId> containers) {
        if (epoch > shard.state.forgottenEpoch || shard.state.rebuild != ShardState.Rebuild.NONE) {
            return tooEarly("epoch " + epoch + " is not yet forgotten");
        }
        for (ContainerId container : containers) {
            shard.outbox.append(
                    shard.rows,
                    new Destination.Container(container),
                    new StorageMessage.Closed(epoch));
        }
        return new IndexReply.Done();
    }

    private static IndexReply tooEarly(String reason) {
        return new IndexReply.Refused(IndexReply.Refused.Code.TOO_EARLY, reason);
    }

    /** Attempts order by epoch: the first intent tells. */
    static boolean settled(KvReader rows, byte[] prefix, int epoch) {
        try (KvCursor cursor =
                rows.scan(IndexTables.INTENTS, prefix, Bytes.successorOfPrefix(prefix))) {
            return !cursor.next() || IndexTables.vOf(cursor.key()).epoch() > epoch;
        }
    }

    /** Removes tombstones of forgotten epochs. */
    void clean() {
        List<byte[]> removed = new ArrayList<>();
        try (KvCursor cursor =
                shard.rows.scan(
                        IndexTables.TOMBSTONES,
                        shard.prefix,
                        Bytes.successorOfPrefix(shard.prefix))) {
            while (removed.size() < STEP_TOMBSTONES
                    && cursor.next()
                    && IndexTables.vOf(cursor.key()).epoch() <= shard.state.forgottenEpoch) {
                removed.add(cursor.key());
            }
        }
        removed.forEach(key -> shard.rows.delete(IndexTables.TOMBSTONES, key));
        if (removed.size() < STEP_TOMBSTONES) {
            shard.state.cleanedEpoch = shard.state.forgottenEpoch;
        }
    }
}
