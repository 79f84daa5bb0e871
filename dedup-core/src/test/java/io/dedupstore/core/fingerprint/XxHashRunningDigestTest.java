package io.dedupstore.core.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of the reference implementation, in their canonical (big-endian) form. */
class XxHashRunningDigestTest {
    private static final long SEED = 64;

    @ParameterizedTest
    @CsvSource({
        "XXHASH64, '', ef46db3751d8e999",
        "XXHASH64, a, d24ec4f1a98c6e5b",
        "XXHASH64, abc, 44bc2cf5ad770999",
        "XXHASH3, '', 2d06800538d394c2",
        "XXHASH3, a, e6c632b61e964e1f",
        "XXHASH3, abc, 78af5f94892f3950",
        "XXHASH128, '', 99aa06d3014798d86001c324468d497f",
        "XXHASH128, a, a96faf705af16834e6c632b61e964e1f",
        "XXHASH128, abc, 06b05ab6733a618578af5f94892f3950",
    })
    void hasTheValuesOfTheReference(DigestAlgorithm algorithm, String text, String hex) {
        RunningDigest digest = new XxHashRunningDigest(algorithm);
        digest.update(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        assertThat(HexFormat.of().formatHex(digest.digest())).isEqualTo(hex);
        assertThat(digest.algorithm()).isEqualTo(algorithm);
    }

    @Test
    void takesAnyPiecesAndStartsAnew() {
        SplittableRandom random = new SplittableRandom(SEED);
        RunningDigest wide = new XxHashRunningDigest(DigestAlgorithm.XXHASH128);
        RunningDigest three = new XxHashRunningDigest(DigestAlgorithm.XXHASH3);
        RunningDigest old = new XxHashRunningDigest(DigestAlgorithm.XXHASH64);
        for (int round = 0; round < 60; round++) {
            byte[] bytes = new byte[random.nextInt(round < 30 ? 600 : 100_000)];
            random.nextBytes(bytes);
            for (int at = 0; at < bytes.length; ) {
                int step = 1 + random.nextInt(bytes.length - at);
                ByteBuffer piece =
                        random.nextBoolean()
                                ? ByteBuffer.wrap(bytes, at, step)
                                : ByteBuffer.allocateDirect(step).put(bytes, at, step).flip();
                wide.update(piece.duplicate());
                three.update(piece.duplicate());
                old.update(piece);
                assertThat(piece.remaining()).isZero();
                at += step;
            }
            String seed = "%d bytes, seed %d".formatted(bytes.length, SEED);
            ByteBuffer all = ByteBuffer.wrap(wide.digest());
            HashValue128 expected = Hashing.xxh3_128().hashBytesTo128Bits(bytes);
            assertThat(all.getLong()).as(seed).isEqualTo(expected.getMostSignificantBits());
            assertThat(all.getLong()).as(seed).isEqualTo(expected.getLeastSignificantBits());
            assertThat(ByteBuffer.wrap(three.digest()).getLong())
                    .as(seed)
                    .isEqualTo(Hashing.xxh3_64().hashBytesToLong(bytes));
            long lz4 = XXHashFactory.safeInstance().hash64().hash(bytes, 0, bytes.length, 0L);
            assertThat(ByteBuffer.wrap(old.digest()).getLong()).as(seed).isEqualTo(lz4);
        }
    }
}
