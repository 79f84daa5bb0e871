package io.dedupstore.core.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds matrices and parity to docs/formats/parity.md, version 1. */
class ParityGoldenTest {
    private static final int LENGTH = 21;

    /** A line of the golden file. */
    record Golden(ParityScheme scheme, byte[] matrix, byte[] parity) {
        static Golden parse(String line) {
            String[] fields = line.split(" ");
            HexFormat hex = HexFormat.of();
            return new Golden(
                    ParityScheme.parse(fields[0]),
                    hex.parseHex(fields[1]),
                    hex.parseHex(fields[2]));
        }

        @Override
        public String toString() {
            return scheme.format();
        }
    }

    @ParameterizedTest
    @MethodSource("golden")
    void theMatrixIsThatOfTheFormat(Golden golden) {
        assertThat(ParityMatrix.of(golden.scheme).coefficients()).isEqualTo(golden.matrix);
    }

    @ParameterizedTest
    @MethodSource("golden")
    void everyDriverWritesTheParityOfTheFormat(Golden golden) {
        List<ByteBuffer> data =
                IntStream.range(0, golden.scheme.data()).mapToObj(ParityGoldenTest::data).toList();
        for (String driver : Parity.drivers()) {
            ByteBuffer parity = ByteBuffer.allocateDirect(golden.parity.length);
            List<ByteBuffer> rows =
                    IntStream.range(0, golden.scheme.parity())
                            .mapToObj(row -> parity.slice(row * LENGTH, LENGTH))
                            .toList();
            Parity.of(golden.scheme, driver).encode(data, rows);
            assertThat(parity).as(driver).isEqualTo(ByteBuffer.wrap(golden.parity));
        }
    }

    @Test
    void productsAndInversesAreThoseOfTheField() {
        for (int a = 0; a < 256; a++) {
            for (int b = 0; b < 256; b++) {
                assertThat(GaloisField.multiply(a, b)).isEqualTo(Fragments.product(a, b));
            }
            if (a > 0) {
                assertThat(GaloisField.multiply(a, GaloisField.invert(a))).isEqualTo(1);
            }
        }
    }

    static Stream<Golden> golden() throws IOException {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        ParityGoldenTest.class.getResourceAsStream(
                                                "/formats/parity-1.txt")),
                                StandardCharsets.UTF_8))) {
            List<String> kept = lines.lines().filter(line -> !line.startsWith("#")).toList();
            assertThat(kept).hasSize(10);
            return kept.stream().map(Golden::parse);
        }
    }

    private static ByteBuffer data(int fragment) {
        ByteBuffer data = ByteBuffer.allocateDirect(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            data.put(i, (byte) (31 * i + 101 * fragment + 7));
        }
        return data;
    }
}
