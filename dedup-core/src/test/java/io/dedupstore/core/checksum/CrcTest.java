package io.dedupstore.core.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.ChunkSums;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CrcTest {
    private static final long SEED = 20261107;
    private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    @Test
    void checkValues() {
        assertThat(Crc32.of(DIGITS)).isEqualTo(0xcbf43926);
        assertThat(Crc32c.of(DIGITS)).isEqualTo(0xe3069283);
        assertThat(Crc64Nvme.of(DIGITS)).isEqualTo(0xae8b14860a799888L);
        assertThat(Crc64Nvme.of(direct(DIGITS))).isEqualTo(0xae8b14860a799888L);
        assertThat(ChunkCrcs.of(direct(DIGITS)))
                .isEqualTo(new ChunkSums(0xcbf43926, 0xe3069283, 0xae8b14860a799888L));
        assertThat(ChunkCrcs.of(ByteBuffer.allocate(0))).isEqualTo(ChunkCrcs.EMPTY);
    }

    @Test
    void nativeAndJavaCrc64Agree() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 300; round++) {
            byte[] bytes = new byte[random.nextInt(round < 250 ? 600 : 100_000)];
            random.nextBytes(bytes);
            long before = random.nextLong();
            assertThat(Crc64Nvme.extend(before, direct(bytes)))
                    .as("%d bytes, seed %d", bytes.length, SEED)
                    .isEqualTo(Crc64NvmeTable.extend(before, ByteBuffer.wrap(bytes)));
        }
    }

    @Test
    void combinationIsTheCrcOfTheConcatenation() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 300; round++) {
            byte[] all = new byte[1 + random.nextInt(5000)];
            random.nextBytes(all);
            int at = random.nextInt(all.length + 1);
            ChunkSums a = ChunkCrcs.of(ByteBuffer.wrap(all, 0, at));
            ChunkSums b = ChunkCrcs.of(ByteBuffer.wrap(all, at, all.length - at));
            assertThat(ChunkCrcs.combine(a, b, all.length - at))
                    .as("%d of %d bytes, seed %d", at, all.length, SEED)
                    .isEqualTo(ChunkCrcs.of(ByteBuffer.wrap(all)));
        }
    }

    @Test
    void combinationTakesLengthsOfAnySize() {
        ChunkSums zeros = ChunkCrcs.of(ByteBuffer.allocate(1 << 20));
        long length = 1 << 20;
        // 2^50 zero bytes by doubling, and the same in two unequal parts.
        ChunkSums[] powers = new ChunkSums[31];
        for (int i = 0; i <= 30; i++, length *= 2) {
            powers[i] = zeros;
            zeros = ChunkCrcs.combine(zeros, zeros, length);
        }
        ChunkSums odd = ChunkCrcs.combine(powers[30], powers[3], 8L << 20);
        ChunkSums other = ChunkCrcs.combine(powers[3], powers[30], 1L << 50);
        assertThat(odd).isEqualTo(other);
        assertThatThrownBy(() -> Crc32.combine(1, 2, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRunningCrc64TakesAnyPieces() {
        byte[] bytes = new byte[1000];
        new SplittableRandom(SEED).nextBytes(bytes);
        Crc64Nvme crc = new Crc64Nvme();
        crc.update(bytes[0] & 0xff);
        crc.update(bytes, 1, 300);
        ByteBuffer rest = direct(Arrays.copyOfRange(bytes, 301, 1000));
        crc.update(rest);
        assertThat(rest.hasRemaining()).isFalse();
        assertThat(crc.getValue()).isEqualTo(Crc64Nvme.of(bytes));
        crc.reset();
        assertThat(crc.getValue()).isZero();
    }
}
