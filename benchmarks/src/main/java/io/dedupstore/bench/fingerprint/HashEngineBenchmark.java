package io.dedupstore.bench.fingerprint;

import io.dedupstore.core.fingerprint.DigestAlgorithm;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HmacKey;
import io.dedupstore.core.fingerprint.RunningDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

/** A window of chunks of about 64 KiB, in one call; bytes per operation are chunks times 64 KiB. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class HashEngineBenchmark {
    private static final int CHUNK_BYTES = 64 << 10;

    @Param({"1", "4", "12", "16", "50"})
    public int chunks;

    /** Buffers on the heap go to the JDK twin. */
    @Param({"native", "jdk"})
    public String implementation = "native";

    private final HashEngine engine = HashEngine.best();
    private final HmacKey key = HmacKey.of(new byte[32]);
    private final RunningDigest sha256 = engine.start(DigestAlgorithm.SHA256);
    private List<ByteBuffer> buffers = List.of();
    private byte[] digests = new byte[0];

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        digests = new byte[chunks * 32];
        buffers = new ArrayList<>();
        int left = chunks * CHUNK_BYTES;
        for (int i = 0; i < chunks; i++) {
            // Unequal lengths with the right sum, as a chunker gives them.
            int length = i == chunks - 1 ? left : CHUNK_BYTES / 2 + random.nextInt(CHUNK_BYTES);
            length = Math.min(length, left - (chunks - 1 - i));
            left -= length;
            buffers.add(
                    implementation.equals("jdk")
                            ? ByteBuffer.allocate(length)
                            : ByteBuffer.allocateDirect(length));
        }
    }

    @Benchmark
    public byte[] batch() {
        return engine.sha256(buffers);
    }

    @Benchmark
    public byte[] hmac() {
        return engine.hmacSha256(key, digests);
    }

    @Benchmark
    public byte[] running() {
        for (ByteBuffer buffer : buffers) {
            sha256.update(buffer.duplicate());
        }
        return sha256.digest();
    }
}
