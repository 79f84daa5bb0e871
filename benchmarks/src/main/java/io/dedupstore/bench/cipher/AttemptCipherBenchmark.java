package io.dedupstore.bench.cipher;

import io.dedupstore.core.cipher.AttemptCipher;
import io.dedupstore.core.cipher.ChunkCipher;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.cipher.RootKeys;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
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

/** Encryption of one chunk; bytes over 1000 times the microseconds are GB/s. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class AttemptCipherBenchmark {
    private static final DomainId DOMAIN = new DomainId(1);
    private static final Fingerprint NAME = new Fingerprint(1, 2, 3, 4);
    private static final RootKey KEY = new RootKey(new byte[RootKey.BYTES], 1);
    private static final RootKeys KEYS = (cipher, domain, version) -> KEY;

    @Param({"DOMAIN", "DOMAIN_TWICE"})
    public ChunkCipher cipher = ChunkCipher.DOMAIN;

    @Param({"8192", "65536", "262144"})
    public int bytes = 65_536;

    private ByteBuffer plain = ByteBuffer.allocate(0);
    private ByteBuffer sealed = ByteBuffer.allocate(0);
    private ByteBuffer stored = ByteBuffer.allocate(0);
    private AttemptCipher attempt = new AttemptCipher(cipher, KEY, DOMAIN, new V(1, 1, 1));

    @Setup
    public void fill() {
        byte[] content = new byte[bytes];
        new SplittableRandom(1).nextBytes(content);
        plain = ByteBuffer.allocateDirect(bytes).put(content).flip();
        sealed = ByteBuffer.allocateDirect(bytes + cipher.overhead());
        stored = ByteBuffer.allocateDirect(bytes + cipher.overhead());
        attempt = new AttemptCipher(cipher, KEY, DOMAIN, new V(1, 1, 2));
        attempt.seal(NAME, 0, bytes, plain, stored);
        stored.flip();
    }

    @Benchmark
    public ByteBuffer seal() {
        attempt.seal(NAME, 0, bytes, plain, sealed.clear());
        return sealed;
    }

    @Benchmark
    public ByteBuffer open() {
        return AttemptCipher.open(KEYS, cipher.id(), DOMAIN, 1, NAME, 0, bytes, stored);
    }
}
