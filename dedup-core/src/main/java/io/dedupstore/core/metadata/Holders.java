package io.dedupstore.core.metadata;

import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.V;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Makes holders and counts their uses. */
final class Holders {
    private static final int ROW_ENTRIES = MetadataService.MANIFEST_ROW_ENTRIES;

    private final ShardEntry entry;
    private final RowWriter rows;

    Holders(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
    }

    /** A holder that was checked and can be installed. */
    record Checked(NewBody.Holder holder, MetadataProto.HolderRow row) {}

    /**
     * Checks a new holder against what was sent ahead; writes nothing.
     *
     * @param bytes plain bytes it must have
     */
    Checked check(NewBody.Holder holder, BucketId bucket, long bytes) {
        MetadataProto.EarlyRow early = rows.early(holder.v());
        List<Long> sent = early == null ? List.of() : early.getRowBytesList();
        long tailBytes = holder.tail().stream().mapToLong(ManifestEntry::length).sum();
        long found = sent.stream().mapToLong(Long::longValue).sum() + tailBytes;
        int chunks = sent.size() * ROW_ENTRIES + holder.tail().size();
        if (sent.size() != holder.sentRows()
                || found != bytes
                || holder.tail().size() > ROW_ENTRIES
                || chunks < 1
                || chunks > MetadataService.MAX_HOLDER_CHUNKS) {
            throw new Refused(
                    MetadataProto.Refusal.ABORTED,
                    "the manifest of %s does not add up: %d of %d rows, %d of %d bytes, %d chunks"
                            .formatted(
                                    holder.v(),
                                    sent.size(),
                                    holder.sentRows(),
                                    found,
                                    bytes,
                                    chunks));
        }
        MetadataProto.HolderRow.Builder row =
                MetadataProto.HolderRow.newBuilder()
                        .setUses(1)
                        .setChunks(chunks)
                        .setSize(bytes)
                        .addAllRowBytes(sent)
                        .setNewChunkBytes(holder.newChunkBytes())
                        .setBucket(bucket.value());
        if (tailBytes > 0) {
            row.addRowBytes(tailBytes);
        }
        return new Checked(holder, row.build());
    }

    /** Writes the holder with one use; its unindexed chunks are adopted, now or by a cursor. */
    void install(Checked checked) {
        NewBody.Holder holder = checked.holder();
        V v = holder.v();
        rows.putHolder(v, null, checked.row());
        if (!holder.tail().isEmpty()) {
            rows.putManifest(v, holder.sentRows(), holder.tail());
            count(v, new BucketId(checked.row().getBucket()), holder.tail());
        }
        if (holder.sentRows() > 0) {
            rows.delete(rows.keys.of(RowKeys.Kind.EARLY, v));
            rows.put(
                    rows.keys.of(RowKeys.Kind.INSTALL, v),
                    MetadataProto.InstallRow.newBuilder().setRows(holder.sentRows()).build());
            entry.shard().setInstalls(entry.shard().getInstalls() + 1);
        }
        entry.countHolders(1);
        entry.countFirstWritten(
                new BucketId(checked.row().getBucket()), checked.row().getNewChunkBytes());
    }

    /** Adopts and counts the chunks of one manifest row of a holder that this bucket brought. */
    void count(V v, BucketId bucket, List<ManifestEntry> manifestRow) {
        ChunkTally tally = ChunkTally.of(manifestRow);
        new Unindexed(entry).count(v, tally.unindexedSlots());
        entry.messages().adopt(tally.unindexed());
        entry.countChunks(bucket, tally);
    }

    /** The bucket whose write brought a holder, in use or not. */
    BucketId bucketOf(V v) {
        MetadataProto.HolderRow row = rows.holder(v);
        if (row == null) {
            throw new IllegalStateException("holder " + v + " is missing");
        }
        return new BucketId(row.getBucket());
    }

    /** A holder that has uses; anything else is as good as gone. */
    MetadataProto.HolderRow live(V v) {
        MetadataProto.HolderRow row = rows.holder(v);
        if (row == null || row.getUses() == 0) {
            throw new Refused(
                    MetadataProto.Refusal.SOURCE_CHANGED, "holder " + v + " is not there any more");
        }
        return row;
    }

    /** Adds uses to holders found by {@link #live}. */
    void use(SortedMap<V, Integer> uses) {
        for (Map.Entry<V, Integer> use : uses.entrySet()) {
            MetadataProto.HolderRow row = live(use.getKey());
            int now = Math.addExact(row.getUses(), use.getValue());
            rows.putHolder(use.getKey(), row, row.toBuilder().setUses(now).build());
        }
    }

    /** Takes one use away; a holder without uses joins the garbage queue. */
    void unuse(V v) {
        MetadataProto.HolderRow row = rows.holder(v);
        if (row == null || row.getUses() == 0) {
            throw new IllegalStateException("holder " + v + " lost a use that it did not have");
        }
        int now = row.getUses() - 1;
        rows.putHolder(v, row, row.toBuilder().setUses(now).build());
        if (now == 0) {
            entry.discard(
                    MetadataProto.GarbageRow.newBuilder()
                            .setHolder(MetadataProto.Walk.newBuilder().setV(Wire.bytes(v)))
                            .build());
        }
    }
}
