package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.metadata.MetadataProto.Reply.Status;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.V;

/**
 * The steps of an epoch close as far as they concern one metadata shard. Each is idempotent, and a
 * step that would be out of turn here is answered so and changes nothing; that the steps of all
 * shards are in turn is the control group's to see to.
 */
final class Epochs {
    private final ShardEntry entry;

    Epochs(ShardEntry entry) {
        this.entry = entry;
    }

    /** Step i: requests of these epochs are refused, and their invisible holders lose their use. */
    Reply refuse(int epoch) {
        MetadataProto.ShardRow.Builder shard = entry.shard();
        shard.setRefusedEpoch(Math.max(shard.getRefusedEpoch(), epoch));
        return Replies.ok();
    }

    /** Step iii: from now on RESOLVE is ignored; rows go in the background. */
    Reply forget(int epoch) {
        MetadataProto.ShardRow.Builder shard = entry.shard();
        if (epoch > shard.getRefusedEpoch()) {
            return outOfTurn("epoch " + epoch + " is not refused yet, so not to be forgotten");
        }
        shard.setForgottenEpoch(Math.max(shard.getForgottenEpoch(), epoch));
        entry.messages().auditAll();
        return Replies.ok();
    }

    /** Step iv: every ADOPT of these epochs is queued before this. */
    Reply announceClosed(MetadataCommand.AnnounceClosed command) {
        if (command.epoch() > entry.shard().getForgottenEpoch()
                || !isSettled(entry.rows(), entry.shard(), command.epoch())) {
            return outOfTurn("epoch " + command.epoch() + " is not settled");
        }
        for (ContainerId container : command.containers()) {
            entry.messages().closed(container, command.epoch());
        }
        return Replies.ok();
    }

    private static Reply outOfTurn(String message) {
        return Replies.of(Status.OUT_OF_TURN, message);
    }

    /**
     * Whether everything of epochs up to {@code epoch} has been refused, dropped and queued for
     * adoption.
     */
    static boolean isSettled(RowReader rows, MetadataProto.ShardRowOrBuilder shard, int epoch) {
        if (shard.getRefusedEpoch() < epoch || shard.getDroppedEpoch() < epoch) {
            return false;
        }
        return shard.getInstalls() == 0
                || Scans.first(rows.rows(), RowKeys.ROWS, rows.keys.all(RowKeys.Kind.INSTALL), 1)
                        .stream()
                        .allMatch(row -> epochOf(row) > epoch);
    }

    static int epochOf(Scans.Row row) {
        V v = RowKeys.vOf(row.key());
        return v.epoch();
    }
}
