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
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One contract, every driver. */
class HashEngineTest {
    private static final long SEED = 20261106;

    static Stream<HashDriver> drivers() {
        return NativeLibrary.available() ? Stream.of(HashDriver.values()) : Stream.of(JDK_ONLY);
    }

    private static final HashDriver[] JDK_ONLY = {HashDriver.AUTO, HashDriver.JDK};

    private static HashEngine engine(HashDriver driver) {
        return HashEngine.start(new HashSettings(driver, 2));
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

    private static byte[] random(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void knownAnswersOfFips180(HashDriver driver) {
        try (HashEngine engine = engine(driver)) {
            assertThat(hex(engine.sha256(List.of(ascii("abc"), ascii("")))))
                    .isEqualTo(
                            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                                    + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
            assertThat(engine.sha256(List.of())).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void everyNumberAndLengthGivesTheDigestOfEachMessage(HashDriver driver) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (HashEngine engine = engine(driver)) {
            for (int n : new int[] {1, 2, 3, 5, 8, 11, 16, 17, 24, 33, 100, 1100}) {
                List<ByteBuffer> buffers = new ArrayList<>();
                ByteBuffer wanted = ByteBuffer.allocate(n * HashEngine.SHA256_LENGTH);
                for (int i = 0; i < n; i++) {
                    // Both length classes, and more than a segment.
                    int most = n > 100 ? 200 : i % 3 == 0 ? 6000 : 150_000;
                    byte[] bytes = random(random, random.nextInt(most));
                    wanted.put(MessageDigest.getInstance("SHA-256").digest(bytes));
                    ByteBuffer shifted = ByteBuffer.allocateDirect(bytes.length + 9).position(5);
                    buffers.add(shifted.put(bytes).flip().position(5));
                }
                assertThat(engine.sha256(buffers))
                        .as("%d, seed %d", n, SEED)
                        .isEqualTo(wanted.array());
                assertThat(buffers).allMatch(buffer -> buffer.position() == 5);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void heapAndReadOnlyBuffersWorkToo(HashDriver driver) {
        byte[] bytes = random(new SplittableRandom(SEED), 100_000);
        try (HashEngine engine = engine(driver)) {
            byte[] direct = engine.sha256(List.of(direct(bytes), direct(bytes)));
            assertThat(engine.sha256(List.of(ByteBuffer.wrap(bytes), direct(bytes))))
                    .isEqualTo(direct);
            assertThat(
                            engine.sha256(
                                    List.of(
                                            direct(bytes).asReadOnlyBuffer(),
                                            ByteBuffer.wrap(bytes).asReadOnlyBuffer())))
                    .isEqualTo(direct);
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void fingerprintIsTheKeyedHashOfTheHash(HashDriver driver) {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        try (HashEngine engine = engine(driver)) {
            Fingerprinter fingerprinter = new Fingerprinter(engine, HmacKey.of(key));
            List<Fingerprint> fingerprints =
                    fingerprinter.fingerprints(List.of(ascii("abc"), ascii("abd"), ascii("abc")));
            assertThat(fingerprints.getFirst())
                    .hasToString(
                            "910ec338f64892dfc0288e343162e996b71c39c67dd1cad13923f2d67a79cff6");
            assertThat(fingerprints.get(1)).isNotEqualTo(fingerprints.getFirst());
            assertThat(fingerprints.get(2)).isEqualTo(fingerprints.getFirst());
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void keyedDigestsOfManyMessagesAreThoseOfTheJdk(HashDriver driver) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] key = random(random, 32);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        try (HashEngine engine = engine(driver)) {
            for (int n : new int[] {0, 1, 8, 9, 16, 40, 1500}) {
                List<ByteBuffer> messages = new ArrayList<>();
                ByteBuffer wanted = ByteBuffer.allocate(n * HashEngine.SHA256_LENGTH);
                for (int i = 0; i < n; i++) {
                    byte[] bytes = random(random, random.nextInt(500));
                    messages.add(direct(bytes));
                    wanted.put(mac.doFinal(MessageDigest.getInstance("SHA-256").digest(bytes)));
                }
                assertThat(engine.keyedSha256(HmacKey.of(key), messages)).isEqualTo(wanted.array());
            }
        }
        assertThatThrownBy(() -> HmacKey.of(new byte[16]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static final List<DigestAlgorithm> OF_RUNTIME =
            Arrays.stream(DigestAlgorithm.values()).filter(DigestAlgorithm::isOfRuntime).toList();

    @ParameterizedTest
    @MethodSource("drivers")
    void runningDigestsTakeAnyPieces(HashDriver driver) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (HashEngine engine = engine(driver)) {
            for (DigestAlgorithm algorithm : OF_RUNTIME) {
                RunningDigest digest = engine.start(algorithm);
                assertThat(digest.algorithm()).isEqualTo(algorithm);
                for (int round = 0; round < 40; round++) {
                    byte[] bytes = random(random, random.nextInt(round < 25 ? 300 : 200_000));
                    for (int at = 0; at < bytes.length; ) {
                        int step = 1 + random.nextInt(bytes.length - at);
                        ByteBuffer piece = piece(bytes, at, step, random.nextInt(4));
                        engine.update(piece, List.of(digest));
                        assertThat(piece.remaining()).isEqualTo(step);
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
    }

    private static ByteBuffer piece(byte[] bytes, int at, int length, int kind) {
        ByteBuffer heap = ByteBuffer.wrap(bytes, at, length);
        return switch (kind) {
            case 0 -> heap;
            case 1 -> heap.asReadOnlyBuffer();
            case 2 -> ByteBuffer.allocateDirect(length).put(heap).flip().asReadOnlyBuffer();
            default -> ByteBuffer.allocateDirect(length).put(heap).flip();
        };
    }

    @Test
    void aDriverThatIsPinnedIsTheOneInUse() {
        try (HashEngine engine = engine(HashDriver.JDK)) {
            engine.sha256(List.of(direct(new byte[50_000])));
            assertThat(engine.plan().algorithms())
                    .allSatisfy(plan -> assertThat(plan.driver()).isEqualTo("jdk"));
            assertThat(engine.statistics().queues())
                    .filteredOn(queue -> queue.jobs() > 0)
                    .extracting(HashStatistics.Queue::name)
                    .containsExactly("alone");
        }
    }

    @Test
    void theCalibratedPlanCoversEveryNumberOfJobs() throws Exception {
        try (HashEngine engine = engine(HashDriver.AUTO)) {
            engine.awaitCalibration();
            for (HashPlan.Algorithm plan : engine.plan().algorithms()) {
                assertThat(plan.driver()).isNotBlank();
                if (!plan.steps().isEmpty()) {
                    assertThat(plan.steps())
                            .hasSize(HashPlan.MAX_ROWS)
                            .allMatch(step -> step.rate() > 0)
                            .allMatch(step -> step.driver() < plan.nativeDrivers().size());
                }
                for (int n = 1; n <= HashPlan.MAX_ROWS; n++) {
                    assertThat(plan.step(n).rows()).isBetween(1, n);
                }
            }
        }
    }

    @Test
    void aKeyIsNeverPrinted() {
        assertThat(HmacKey.of(new byte[32]).toString()).doesNotContain("00");
    }
}
