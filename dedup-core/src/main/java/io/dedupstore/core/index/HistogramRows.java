package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes of the histogram by one command: one row for each bucket that it touched. */
final class HistogramRows {
    private static final byte VERSION = 1;
    private static final int BYTES = 1 + 4 * 8;

    private final byte[] prefix;
    private final Map<Integer, Histogram.Bucket> changes = new TreeMap<>();

    HistogramRows(byte[] prefix) {
        this.prefix = prefix;
    }

    /** Counts an entry with references in (sign 1) or out (-1). */
    void count(Entry entry, int sign) {
        long references = entry.references();
        Histogram.Bucket change =
                new Histogram.Bucket(
                        sign,
                        sign * references,
                        (long) sign * entry.length(),
                        sign * references * entry.length());
        changes.merge(Histogram.bucketOf(references), change, Histogram.Bucket::plus);
    }

    void save(KvTransaction rows) {
        changes.forEach(
                (bucket, change) -> {
                    byte[] key = IndexTables.histogramKey(prefix, bucket);
                    if (!change.equals(Histogram.Bucket.EMPTY)) {
                        Histogram.Bucket now = read(rows.get(IndexTables.STATE, key)).plus(change);
                        rows.put(IndexTables.STATE, key, toBytes(now));
                    }
                });
    }

    /** All buckets are empty. */
    static void wipe(KvTransaction rows, byte[] prefix) {
        for (int bucket = 0; bucket < Histogram.BUCKETS; bucket++) {
            byte[] key = IndexTables.histogramKey(prefix, bucket);
            if (rows.get(IndexTables.STATE, key) != null) {
                rows.delete(IndexTables.STATE, key);
            }
        }
    }

    static Histogram read(KvReader rows, byte[] prefix) {
        List<byte[]> keys = new ArrayList<>();
        for (int bucket = 0; bucket < Histogram.BUCKETS; bucket++) {
            keys.add(IndexTables.histogramKey(prefix, bucket));
        }
        return new Histogram(
                rows.multiGet(IndexTables.STATE, keys).stream().map(HistogramRows::read).toList());
    }

    private static Histogram.Bucket read(byte @Nullable [] row) {
        if (row == null) {
            return Histogram.Bucket.EMPTY;
        }
        ByteBuffer in = ByteBuffer.wrap(row);
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalStateException("histogram row of format version " + version);
        }
        return new Histogram.Bucket(in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    private static byte[] toBytes(Histogram.Bucket bucket) {
        return ByteBuffer.allocate(BYTES)
                .put(VERSION)
                .putLong(bucket.chunks())
                .putLong(bucket.references())
                .putLong(bucket.chunkBytes())
                .putLong(bucket.referencedBytes())
                .array();
    }
}
