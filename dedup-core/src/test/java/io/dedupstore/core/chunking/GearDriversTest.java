package io.dedupstore.core.chunking;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Every native driver against the Java twin on many buffers, cut for cut. */
class GearDriversTest {
    private static final long SEED = 20261123;
    private static final int POOL_BYTES = 1 << 20;
    private static final int BUFFERS = Boolean.getBoolean("dedup.test.long") ? 1_000_000 : 4_000;
    private static final GearTable TABLE = GearTable.derive(new byte[32]);

    @Test
    void allGiveTheSameCuts() {
        Assumptions.assumeTrue(NativeLibrary.available(), "built without a C compiler");
        SplittableRandom random = new SplittableRandom(SEED);
        List<ByteBuffer> pools = new ArrayList<>();
        for (TestBytes.Kind kind : TestBytes.Kind.values()) {
            pools.add(TestBytes.direct(TestBytes.of(kind, POOL_BYTES, random)));
        }
        List<List<Chunker>> profiles = new ArrayList<>();
        for (int average = 8 << 10; average <= 64 << 10; average *= 2) {
            profiles.add(Chunker.drivers(ChunkingSpec.Cdc.ofAverage(average), TABLE));
        }
        for (int i = 0; i < BUFFERS; i++) {
            int length = random.nextInt(random.nextInt(50) == 0 ? POOL_BYTES : 24 << 10);
            ByteBuffer pool = pools.get(random.nextInt(pools.size()));
            // The shorter averages more often: they cut more.
            int profile = Math.min(random.nextInt(8) / 2 * random.nextInt(2), 3);
            ByteBuffer buffer = pool.slice(random.nextInt(POOL_BYTES - length + 1), length);
            compare(profiles.get(profile), buffer, random.nextBoolean());
        }
    }

    private static void compare(List<Chunker> twins, ByteBuffer buffer, boolean end) {
        int[] wanted = new int[buffer.remaining() / 2048 + 1];
        int count = twins.getLast().cuts(buffer, end, wanted);
        for (Chunker twin : twins) {
            int[] got = new int[wanted.length];
            int found = twin.cuts(buffer, end, got);
            if (found != count || !Arrays.equals(got, wanted)) {
                assertThat(Arrays.copyOf(got, found))
                        .as("%s, %d bytes, seed %d", twin.driverName(), buffer.remaining(), SEED)
                        .isEqualTo(Arrays.copyOf(wanted, count));
            }
        }
    }
}
