package io.dedupstore.core.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AtRestChecksumTest {
    private static final long SEED = 20261108;

    @ParameterizedTest
    @CsvSource({
        "crc32c, 1, 839206e3",
        "xxhash64, 2, 83aee640db41b88c",
        "sha256, 3, 15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"
    })
    void nameIdAndBytesNeverChange(String name, int id, String hex) {
        AtRestChecksum checksum = AtRestChecksum.parse(name);
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(checksum.id()).isEqualTo((byte) id);
        assertThat(AtRestChecksum.ofId(id)).isSameAs(checksum);
        assertThat(checksum.format()).isEqualTo(name);
        assertThat(HexFormat.of().formatHex(checksum.of(ByteBuffer.wrap(digits)))).isEqualTo(hex);
        assertThat(checksum.of(ByteBuffer.wrap(digits))).hasSize(checksum.length());
    }

    @ParameterizedTest
    @EnumSource(AtRestChecksum.class)
    void partsCountAsOne(AtRestChecksum checksum) {
        byte[] bytes = new byte[50_000];
        new SplittableRandom(SEED).nextBytes(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        byte[] whole = checksum.of(direct);
        ByteBuffer head = ByteBuffer.wrap(bytes, 0, 113);
        ByteBuffer tail = direct.duplicate().position(113);
        assertThat(checksum.of(head, tail)).isEqualTo(whole);
        assertThat(tail.position()).isEqualTo(113);
        assertThat(checksum.matches(whole, head, tail)).isTrue();
        direct.put(40_000, (byte) ~bytes[40_000]);
        assertThat(checksum.matches(whole, head, tail)).isFalse();
    }

    @Test
    void unknownOnesAreRefused() {
        assertThatThrownBy(() -> AtRestChecksum.ofId(0)).hasMessageContaining("0");
        assertThatThrownBy(() -> AtRestChecksum.parse("md5")).hasMessageContaining("md5");
    }
}
