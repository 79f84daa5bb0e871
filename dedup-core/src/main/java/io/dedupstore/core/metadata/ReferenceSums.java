package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * For each index shard, the sum over all references that were confirmed to it and not released
 * since. It follows the stream, so that the receiver of an AUDIT in that stream must have come to
 * the same.
 */
final class ReferenceSums {
    /** CONFIRM and RELEASE items between two AUDITs. */
    static final int AUDIT_EVERY = 64;

    private final RowWriter rows;

    ReferenceSums(RowWriter rows) {
        this.rows = rows;
    }

    /**
     * Changes the sum for a shard along with an item that goes to it.
     *
     * @return whether an AUDIT is due behind the item
     */
    boolean change(ShardId shard, UnaryOperator<ReferenceSum> change) {
        byte[] key = rows.keys.sum(shard);
        MetadataProto.SumRow before = row(key);
        ReferenceSum now = change.apply(sum(before));
        boolean due = before.getUnaudited() + 1 >= AUDIT_EVERY;
        put(key, now, due ? 0 : before.getUnaudited() + 1);
        return due;
    }

    ReferenceSum of(ShardId shard) {
        return sum(row(rows.keys.sum(shard)));
    }

    /** Index shards that have heard more since their last AUDIT; it is taken as sent. */
    List<ShardId> takeUnaudited() {
        List<ShardId> shards = new ArrayList<>();
        byte[] all = rows.keys.all(RowKeys.Kind.SUM);
        for (Scans.Row found : Scans.first(rows.rows(), RowKeys.ROWS, all, ShardId.MAX_SHARDS)) {
            MetadataProto.SumRow sum =
                    RowReader.parse(RowKeys.ROWS, MetadataProto.SumRow.parser(), found.value());
            if (sum.getUnaudited() > 0) {
                shards.add(RowKeys.indexShardOf(found.key()));
                put(found.key(), sum(sum), 0);
            }
        }
        return shards;
    }

    private MetadataProto.SumRow row(byte[] key) {
        MetadataProto.SumRow row = rows.get(RowKeys.ROWS, key, MetadataProto.SumRow.parser());
        return row != null ? row : MetadataProto.SumRow.getDefaultInstance();
    }

    static ReferenceSum read(byte[] row) {
        return sum(RowReader.parse(RowKeys.ROWS, MetadataProto.SumRow.parser(), row));
    }

    private static ReferenceSum sum(MetadataProto.SumRow row) {
        return new ReferenceSum(row.getSumHigh(), row.getSumLow());
    }

    private void put(byte[] key, ReferenceSum sum, int unaudited) {
        rows.put(
                key,
                MetadataProto.SumRow.newBuilder()
                        .setSumHigh(sum.high())
                        .setSumLow(sum.low())
                        .setUnaudited(unaudited)
                        .build());
    }
}
