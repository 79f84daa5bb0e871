package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ShardId;
import java.util.Map;
import java.util.TreeMap;

/**
 * One command being applied to one shard: its rows, its counters, its messages. The counters are
 * kept here and written once, by {@link #finish}.
 */
final class ShardEntry {
    /** End of the year 9999: a clock gone wild must not push the shard's time out of range. */
    private static final long MAX_TIME_MILLIS = 253_402_300_799_999L;

    private static final long MICROS_PER_MILLI = 1000;

    private final RowWriter rows;
    private final Messages messages;
    private final MetadataProto.ShardRow.Builder shard;
    private final MetadataProto.ShardRow before;
    private final Map<BucketId, MetadataProto.BucketRow.Builder> buckets = new TreeMap<>();

    ShardEntry(KvTransaction transaction, ShardId id, int indexShards) {
        this.rows = new RowWriter(transaction, id);
        this.messages = new Messages(rows, id, indexShards);
        this.before = rows.shard();
        this.shard = before.toBuilder();
    }

    RowWriter rows() {
        return rows;
    }

    Messages messages() {
        return messages;
    }

    MetadataProto.ShardRow.Builder shard() {
        return shard;
    }

    MetadataProto.BucketRow.Builder bucket(BucketId bucket) {
        return buckets.computeIfAbsent(bucket, id -> rows.bucket(id).toBuilder());
    }

    void finish() {
        totals().setMetadataBytes(totals().getMetadataBytes() + rows.grownBytes());
        buckets.forEach((bucket, row) -> finish(bucket, row.build()));
        MetadataProto.ShardRow after = shard.build();
        if (!after.equals(before)) {
            rows.put(rows.keys.shard(), after);
        }
    }

    /** A bucket that holds nothing has no row, unless it is sealed. */
    private void finish(BucketId bucket, MetadataProto.BucketRow row) {
        if (row.equals(rows.bucket(bucket))) {
            return;
        }
        byte[] key = rows.keys.bucket(bucket);
        if (row.equals(MetadataProto.BucketRow.getDefaultInstance())) {
            rows.delete(key);
        } else {
            rows.put(key, row);
        }
    }

    // ---- time ----

    /** Moves the shard's clock to the proposed time, or just above its last. */
    void tick(long proposedMillis) {
        long proposed = Math.clamp(proposedMillis, 0, MAX_TIME_MILLIS) * MICROS_PER_MILLI;
        shard.setLastMicros(Math.max(proposed, shard.getLastMicros() + 1));
    }

    long nowMicros() {
        return shard.getLastMicros();
    }

    long nowMillis() {
        return shard.getLastMicros() / MICROS_PER_MILLI;
    }

    // ---- garbage ----

    /** Appends an item to the garbage queue. */
    void discard(MetadataProto.GarbageRow item) {
        long number = shard.getGarbageTail();
        rows.put(rows.keys.garbage(number), item);
        shard.setGarbageTail(number + 1);
    }

    // ---- accounting ----

    private MetadataProto.TotalsRow.Builder totals() {
        return shard.getTotalsBuilder();
    }

    void countObjects(BucketId bucket, int change) {
        bucket(bucket).setObjects(bucket(bucket).getObjects() + change);
        totals().setObjects(totals().getObjects() + change);
    }

    void countNoncurrent(BucketId bucket, int change) {
        bucket(bucket).setNoncurrentVersions(bucket(bucket).getNoncurrentVersions() + change);
        totals().setNoncurrentVersions(totals().getNoncurrentVersions() + change);
    }

    void countDeleteMarkers(BucketId bucket, int change) {
        bucket(bucket).setDeleteMarkers(bucket(bucket).getDeleteMarkers() + change);
        totals().setDeleteMarkers(totals().getDeleteMarkers() + change);
    }

    void countUploads(BucketId bucket, int change) {
        bucket(bucket).setUploads(bucket(bucket).getUploads() + change);
        totals().setUploads(totals().getUploads() + change);
    }

    void countHolders(int change) {
        totals().setHolders(totals().getHolders() + change);
    }

    void countFirstWritten(BucketId bucket, long change) {
        MetadataProto.BucketRow.Builder row = bucket(bucket);
        row.setFirstWrittenBytes(row.getFirstWrittenBytes() + change);
        totals().setFirstWrittenBytes(totals().getFirstWrittenBytes() + change);
    }

    void countBody(BucketId bucket, BodySize size) {
        MetadataProto.BucketRow.Builder row = bucket(bucket);
        row.setLogicalBytes(row.getLogicalBytes() + size.bytes())
                .setInlineBytes(row.getInlineBytes() + size.inlineBytes())
                .setReferencedChunkBytes(row.getReferencedChunkBytes() + size.chunkBytes())
                .setChunks(row.getChunks() + size.chunks());
        MetadataProto.TotalsRow.Builder totals = totals();
        totals.setLogicalBytes(totals.getLogicalBytes() + size.bytes())
                .setInlineBytes(totals.getInlineBytes() + size.inlineBytes())
                .setReferencedChunkBytes(totals.getReferencedChunkBytes() + size.chunkBytes())
                .setChunks(totals.getChunks() + size.chunks());
    }

    void countUnindexed(long change) {
        totals().setUnindexedBytes(totals().getUnindexedBytes() + change);
    }

    /** A manifest row begins to count, for the bucket whose write brought it. */
    void countChunks(BucketId bucket, ChunkTally tally) {
        countUnindexed(tally.unindexedBytes());
        tally.zeros().forEach((length, count) -> countZeros(bucket, length, count));
    }

    /** A manifest row counts no more. */
    void uncountChunks(BucketId bucket, ChunkTally tally) {
        countUnindexed(-tally.unindexedBytes());
        tally.zeros().forEach((length, count) -> countZeros(bucket, length, -count));
    }

    private void countZeros(BucketId bucket, int length, int change) {
        int ofShard = countZeros(rows.keys.zero(length), length, change);
        totals().setZeroDistinctBytes(totals().getZeroDistinctBytes() + ofShard);
        int ofBucket = countZeros(rows.keys.zero(bucket, length), length, change);
        if (ofBucket != 0) {
            MetadataProto.BucketRow.Builder row = bucket(bucket);
            row.setZeroDistinctBytes(row.getZeroDistinctBytes() + ofBucket);
        }
    }

    /** By how much the distinct bytes change. */
    private int countZeros(byte[] key, int length, int change) {
        long before = rows.zeroReferences(key);
        long after = before + change;
        if (after < 0) {
            throw new IllegalStateException("fewer than no zero chunks of " + length + " bytes");
        }
        if (after == 0) {
            rows.delete(key);
        } else {
            rows.put(key, MetadataProto.ZeroRow.newBuilder().setReferences(after).build());
        }
        return Boolean.compare(after > 0, before > 0) * length;
    }
}
