package io.dedupstore.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChecksumAlgorithmTest {
    @Test
    void codesAndLengthsAreThoseOfTheFormat() {
        assertThat(
                        Arrays.stream(ChecksumAlgorithm.values())
                                .map(a -> a.code() + " " + a + " " + a.bytes())
                                .collect(Collectors.joining("\n")))
                .isEqualTo(
                        """
                        1 CRC32 4
                        2 CRC32C 4
                        3 CRC64NVME 8
                        4 SHA1 20
                        5 SHA256 32
                        6 SHA512 64
                        7 MD5 16
                        8 XXHASH64 8
                        9 XXHASH3 8
                        10 XXHASH128 16""");
        for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
            assertThat(ChecksumAlgorithm.ofCode(algorithm.code())).isEqualTo(algorithm);
        }
        assertThatThrownBy(() -> ChecksumAlgorithm.ofCode(11))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
