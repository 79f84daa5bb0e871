package io.dedupstore.bench.compression;

import io.dedupstore.core.compression.ChunkCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Compression of one chunk of 64 KiB; 65.5 over the microseconds are GB/s. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ChunkCodecBenchmark {
    private static final int CHUNK_BYTES = 64 << 10;

    @Param({"LZ4", "ZSTD"})
    public ChunkCodec codec = ChunkCodec.OFF;

    @Param({"text", "random"})
    public String content = "text";

    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private ByteBuffer compressed = ByteBuffer.allocate(0);
    private final ByteBuffer back = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private int length;

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] bytes = new byte[CHUNK_BYTES];
        if (content.equals("random")) {
            random.nextBytes(bytes);
        } else {
            byte[] line =
                    "2026-11-01T12:00:00Z GET /bucket/key 200 ".getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] =
                        random.nextInt(20) == 0
                                ? (byte) random.nextInt(128)
                                : line[i % line.length];
            }
        }
        chunk.put(bytes).flip();
        compressed = ByteBuffer.allocateDirect(codec.maxCompressedLength(CHUNK_BYTES));
        length = codec.compress(chunk, compressed);
    }

    @Benchmark
    public int compress() {
        return codec.compress(chunk, compressed);
    }

    @Benchmark
    public ByteBuffer decompress() {
        if (length > 0) {
            codec.decompress(compressed.duplicate().limit(length), back, CHUNK_BYTES);
        }
        return back;
    }
}
