package io.dedupstore.bench.workload;

import io.dedupstore.core.compression.ChunkCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a codec of the product makes of single contents; none is compressed together with another.
 *
 * @param bytes length of what was compressed at once
 * @param ratio bytes over compressed bytes; a content that does not compress counts as it is
 */
record Compressed(ChunkCodec codec, int bytes, double ratio) {
    private static final int SAMPLES = 64;
    private static final int LARGE_BYTES = 64 << 10;

    static List<Compressed> measure(WorkloadSpec spec) {
        List<Compressed> results = new ArrayList<>();
        int recordBytes = Math.min(spec.recordBytes(), ChunkCodec.MAX_LENGTH);
        for (ChunkCodec codec : List.of(ChunkCodec.LZ4, ChunkCodec.ZSTD)) {
            results.add(measure(spec, codec, recordBytes));
            if (recordBytes != LARGE_BYTES) {
                results.add(measure(spec, codec, LARGE_BYTES));
            }
        }
        return results;
    }

    private static Compressed measure(WorkloadSpec spec, ChunkCodec codec, int bytes) {
        ContentBytes contents = new ContentBytes(spec.seed(), spec.compressionRatio());
        ByteBuffer plain = ByteBuffer.allocateDirect(bytes);
        ByteBuffer packed = ByteBuffer.allocateDirect(codec.maxCompressedLength(bytes));
        long total = 0;
        for (int sample = 0; sample < SAMPLES; sample++) {
            contents.fill(sample, 0, plain.clear());
            int length = codec.compress(plain.flip(), packed);
            total += length < 0 ? bytes : length;
        }
        return new Compressed(codec, bytes, (double) bytes * SAMPLES / total);
    }
}
