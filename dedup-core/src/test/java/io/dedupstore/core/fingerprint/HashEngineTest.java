package io.dedupstore.core.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.core.model.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One contract, every engine. */
class HashEngineTest {
    private static final long SEED = 20261106;

    static Stream<HashEngine> engines() {
        return NativeLibrary.available()
                ? Stream.of(new JdkHashEngine(), new NativeHashEngine())
                : Stream.of(new JdkHashEngine());
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static ByteBuffer ascii(String text) {
        return direct(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void knownAnswersOfFips180(HashEngine engine) {
        assertThat(hex(engine.sha256(List.of(ascii("abc"), ascii("")))))
                .isEqualTo(
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                                + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assertThat(engine.sha256(List.of())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void everyBatchSizeAndLengthGivesTheDigestOfEachBuffer(HashEngine engine) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int n : new int[] {1, 2, 3, 5, 8, 11, 16, 17, 24, 33, 100, 1100}) {
            List<ByteBuffer> buffers = new ArrayList<>();
            ByteBuffer wanted = ByteBuffer.allocate(n * HashEngine.SHA256_LENGTH);
            for (int i = 0; i < n; i++) {
                byte[] bytes = new byte[random.nextInt(n > 100 ? 200 : 6000)];
                random.nextBytes(bytes);
                wanted.put(MessageDigest.getInstance("SHA-256").digest(bytes));
                ByteBuffer shifted = ByteBuffer.allocateDirect(bytes.length + 9).position(5);
                buffers.add(shifted.put(bytes).flip().position(5));
            }
            assertThat(engine.sha256(buffers)).as("%d, seed %d", n, SEED).isEqualTo(wanted.array());
            assertThat(buffers).allMatch(buffer -> buffer.position() == 5);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void heapAndReadOnlyBuffersWorkToo(HashEngine engine) {
        byte[] bytes = "a buffer on the heap".getBytes(StandardCharsets.US_ASCII);
        byte[] direct = engine.sha256(List.of(direct(bytes), direct(bytes)));
        assertThat(engine.sha256(List.of(ByteBuffer.wrap(bytes), direct(bytes)))).isEqualTo(direct);
        assertThat(
                        engine.sha256(
                                List.of(
                                        direct(bytes).asReadOnlyBuffer(),
                                        ByteBuffer.wrap(bytes).asReadOnlyBuffer())))
                .isEqualTo(direct);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void fingerprintIsTheKeyedHashOfTheHash(HashEngine engine) {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        Fingerprinter fingerprinter = new Fingerprinter(engine, HmacKey.of(key));
        List<Fingerprint> fingerprints =
                fingerprinter.fingerprints(List.of(ascii("abc"), ascii("abd"), ascii("abc")));
        assertThat(fingerprints.getFirst())
                .hasToString("910ec338f64892dfc0288e343162e996b71c39c67dd1cad13923f2d67a79cff6");
        assertThat(fingerprints.get(1)).isNotEqualTo(fingerprints.getFirst());
        assertThat(fingerprints.get(2)).isEqualTo(fingerprints.getFirst());
    }

    @ParameterizedTest
    @MethodSource("engines")
    void hmacOfManyDigestsIsThatOfTheJdk(HashEngine engine) {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] key = new byte[32];
        random.nextBytes(key);
        for (int n : new int[] {0, 1, 8, 9, 16, 40, 1500}) {
            byte[] digests = new byte[n * 32];
            random.nextBytes(digests);
            byte[] before = digests.clone();
            assertThat(engine.hmacSha256(HmacKey.of(key), digests))
                    .isEqualTo(new JdkHashEngine().hmacSha256(HmacKey.of(key), digests));
            assertThat(digests).isEqualTo(before);
        }
        assertThatThrownBy(() -> engine.hmacSha256(HmacKey.of(key), new byte[33]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HmacKey.of(new byte[16]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void runningDigestsTakeAnyPieces(HashEngine engine) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            RunningDigest digest = engine.start(algorithm);
            assertThat(digest.algorithm()).isEqualTo(algorithm);
            for (int round = 0; round < 60; round++) {
                byte[] bytes = new byte[random.nextInt(round < 50 ? 300 : 20_000)];
                random.nextBytes(bytes);
                for (int at = 0; at < bytes.length; ) {
                    int step = 1 + random.nextInt(bytes.length - at);
                    digest.update(
                            piece(Arrays.copyOfRange(bytes, at, at + step), random.nextInt(4)));
                    at += step;
                }
                MessageDigest jdk = MessageDigest.getInstance(algorithm.jdkName());
                assertThat(digest.digest())
                        .as("%s, %d bytes, seed %d", algorithm, bytes.length, SEED)
                        .hasSize(algorithm.length())
                        .isEqualTo(jdk.digest(bytes));
            }
        }
    }

    private static ByteBuffer piece(byte[] bytes, int kind) {
        return switch (kind) {
            case 0 -> ByteBuffer.wrap(bytes);
            case 1 -> ByteBuffer.wrap(bytes).asReadOnlyBuffer();
            case 2 -> direct(bytes).asReadOnlyBuffer();
            default -> direct(bytes);
        };
    }

    @Test
    void updateConsumesTheBuffer() {
        ByteBuffer bytes = ascii("some bytes");
        HashEngine.best().start(DigestAlgorithm.SHA256).update(bytes);
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @Test
    void theBestEngineSaysWhatItIs() {
        assertThat(HashEngine.best()).isSameAs(HashEngine.best());
        assertThat(HashEngine.best().driverName()).isNotBlank();
    }

    @Test
    void aKeyIsNeverPrinted() {
        assertThat(HmacKey.of(new byte[32]).toString()).doesNotContain("00");
    }
}
