package io.dedupstore.bench.checksum;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.checksum.Crc64Nvme;
import io.dedupstore.core.model.ChunkSums;
import java.nio.ByteBuffer;
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

/** Checksums of one chunk of 64 KiB; 65.5 over the microseconds are GB/s. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class CrcBenchmark {
    private static final int CHUNK_BYTES = 64 << 10;

    /** On the heap CRC-64 is the Java twin's. */
    @Param({"direct", "heap"})
    public String memory = "direct";

    private ByteBuffer chunk = ByteBuffer.allocate(0);

    @Setup
    public void fill() {
        chunk =
                memory.equals("heap")
                        ? ByteBuffer.allocate(CHUNK_BYTES)
                        : ByteBuffer.allocateDirect(CHUNK_BYTES);
    }

    @Benchmark
    public long crc64nvme() {
        return Crc64Nvme.of(chunk);
    }

    @Benchmark
    public ChunkSums threeCrcs() {
        return ChunkCrcs.of(chunk);
    }

    @Benchmark
    public ChunkSums combination() {
        ChunkSums sums = new ChunkSums(1, 2, 3);
        return ChunkCrcs.combine(sums, sums, CHUNK_BYTES);
    }

    @Benchmark
    public byte[] crc32cAtRest() {
        return AtRestChecksum.CRC32C.of(chunk);
    }

    @Benchmark
    public byte[] xxhash64AtRest() {
        return AtRestChecksum.XXHASH64.of(chunk);
    }
}
