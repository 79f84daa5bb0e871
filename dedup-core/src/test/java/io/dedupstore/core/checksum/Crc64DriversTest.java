package io.dedupstore.core.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.jni.NativeCrc64;
import io.dedupstore.core.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Every native driver against the Java twin: random lengths, offsets and CRCs before. */
class Crc64DriversTest {
    private static final long SEED = 20261122;
    private static final int POOL_BYTES = 1 << 20;
    private static final int RUNS = Boolean.getBoolean("dedup.test.long") ? 1_000_000 : 10_000;

    @Test
    void allGiveTheSame() {
        Assumptions.assumeTrue(NativeLibrary.available(), "built without a C compiler");
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] bytes = new byte[POOL_BYTES];
        random.nextBytes(bytes);
        ByteBuffer pool = ByteBuffer.allocateDirect(POOL_BYTES).put(bytes).clear();
        for (int run = 0; run < RUNS; run++) {
            int length = random.nextInt(random.nextInt(20) == 0 ? 20_000 : 700);
            ByteBuffer data = pool.slice(random.nextInt(POOL_BYTES - length + 1), length);
            long before = random.nextLong();
            long wanted = Crc64NvmeTable.extend(before, data);
            for (int driver = 0; driver < NativeCrc64.drivers().size(); driver++) {
                if (NativeCrc64.extend(driver, before, data) != wanted) {
                    assertThat(NativeCrc64.extend(driver, before, data))
                            .as("%s, %d bytes", NativeCrc64.drivers().get(driver), length)
                            .isEqualTo(wanted);
                }
            }
        }
    }
}
