package io.dedupstore.server;

import io.dedupstore.client.admin.UsageReport;
import io.dedupstore.core.index.Histogram;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.metadata.ShardTotals;
import io.dedupstore.core.model.ShardId;

/**
 * The whole store's accounting. Referenced bytes come from the metadata shards; distinct ones from
 * the index, from what was pruned of it and still has its owner, from the chunks that holders own
 * alone, and from the zero chunk, which counts once for each length. So what the index forgets does
 * not change the ratio.
 */
record DedupTotals(
        UsageReport usage, long distinctChunks, long unindexedBytes, long metadataBytes) {
    static DedupTotals of(NodeCore core) {
        long objects = 0;
        long uploads = 0;
        long logical = 0;
        long inline = 0;
        long referenced = 0;
        long chunks = 0;
        long distinct = 0;
        long unindexed = 0;
        long metadataBytes = 0;
        for (ShardId shard : core.control().layout().metadata()) {
            ShardTotals totals = core.metadata().totals(shard);
            objects += totals.objects();
            uploads += totals.uploads();
            logical += totals.logicalBytes();
            inline += totals.inlineBytes();
            referenced += totals.referencedChunkBytes();
            chunks += totals.chunks();
            unindexed += totals.unindexedBytes();
            distinct += totals.unindexedBytes() + totals.zeroDistinctBytes();
            metadataBytes += totals.metadataBytes();
        }
        long entries = 0;
        for (IndexShardClient shard : core.index().shards()) {
            IndexStatistics statistics = shard.statistics();
            Histogram.Bucket total = statistics.histogram().total();
            distinct += total.chunkBytes() + statistics.prunedBytes();
            entries += total.chunks();
        }
        return new DedupTotals(
                new UsageReport(objects, uploads, logical, inline, referenced, chunks, distinct),
                entries,
                unindexed,
                metadataBytes);
    }
}
