package io.dedupstore.core.jni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every driver of the digests against the JDK: random lengths, offsets and numbers of streams. */
class DigestDriversTest {
    private static final long SEED = 20261121;
    private static final int POOL_BYTES = 1 << 20;
    private static final int LONGEST = 1200;
    private static final int MESSAGES = Boolean.getBoolean("dedup.test.long") ? 1_000_000 : 3_000;
    private static final int[] MD5_INITIAL = {
        0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0, 0, 0, 0
    };

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final ByteBuffer pool = ByteBuffer.allocateDirect(POOL_BYTES);

    @BeforeEach
    void fillPool() {
        Assumptions.assumeTrue(NativeLibrary.available(), "built without a C compiler");
        byte[] bytes = new byte[POOL_BYTES];
        random.nextBytes(bytes);
        pool.put(bytes).clear();
    }

    /** Somewhere in the pool; one in a hundred is long. */
    private ByteBuffer message() {
        int length = random.nextInt(random.nextInt(100) == 0 ? 100 * LONGEST : LONGEST);
        return pool.slice(random.nextInt(POOL_BYTES - length + 1), length);
    }

    private List<ByteBuffer> messages(int most) {
        List<ByteBuffer> messages = new ArrayList<>();
        for (int n = 1 + random.nextInt(most); n > 0; n--) {
            messages.add(message());
        }
        return messages;
    }

    @Test
    void sha256() throws Exception {
        MessageDigest jdk = MessageDigest.getInstance("SHA-256");
        NativeSha256.Table table = new NativeSha256.Table();
        for (int driver = 0; driver < NativeDigest.SHA256.drivers().size(); driver++) {
            String name = NativeDigest.SHA256.drivers().get(driver);
            for (int done = 0; done < MESSAGES; ) {
                List<ByteBuffer> messages = messages(60);
                byte[] out = new byte[NativeSha256.LENGTH * messages.size()];
                table.sha256(driver, messages, out, 0);
                for (int i = 0; i < messages.size(); i++) {
                    jdk.update(messages.get(i).duplicate());
                    int from = NativeSha256.LENGTH * i;
                    byte[] got = Arrays.copyOfRange(out, from, from + NativeSha256.LENGTH);
                    check(got, jdk.digest(), name, messages.get(i));
                }
                done += messages.size();
            }
        }
    }

    @Test
    void md5() throws Exception {
        MessageDigest jdk = MessageDigest.getInstance("MD5");
        NativeDigest.Table table = new NativeDigest.Table();
        for (int driver = 0; driver < NativeDigest.MD5.drivers().size(); driver++) {
            String name = NativeDigest.MD5.drivers().get(driver);
            for (int done = 0; done < MESSAGES; ) {
                List<ByteBuffer> messages = messages(NativeDigest.Table.ROWS);
                List<int[]> states = new ArrayList<>();
                messages.forEach(message -> states.add(MD5_INITIAL.clone()));
                int[] whole =
                        messages.stream()
                                .mapToInt(message -> message.remaining() / NativeDigest.BLOCK)
                                .toArray();
                table.update(NativeDigest.MD5, driver, states, messages, whole);
                List<ByteBuffer> tails = messages.stream().map(DigestDriversTest::tail).toList();
                int[] last = tails.stream().mapToInt(t -> t.capacity() / 64).toArray();
                table.update(NativeDigest.MD5, driver, states, tails, last);
                for (int i = 0; i < messages.size(); i++) {
                    jdk.update(messages.get(i).duplicate());
                    ByteBuffer got = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
                    got.asIntBuffer().put(states.get(i), 0, 4);
                    check(got.array(), jdk.digest(), name, messages.get(i));
                }
                done += messages.size();
            }
        }
    }

    /** What follows the whole blocks: the last bytes, the end mark and the length (RFC 1321). */
    private static ByteBuffer tail(ByteBuffer message) {
        int length = message.remaining();
        int rest = length % NativeDigest.BLOCK;
        ByteBuffer tail =
                ByteBuffer.allocateDirect(rest < 56 ? 64 : 128).order(ByteOrder.LITTLE_ENDIAN);
        tail.put(0, message, length - rest, rest).put(rest, (byte) 0x80);
        return tail.putLong(tail.capacity() - Long.BYTES, 8L * length);
    }

    private static void check(byte[] got, byte[] wanted, String driver, ByteBuffer message) {
        if (!Arrays.equals(got, wanted)) {
            assertThat(got)
                    .as("%s of %d bytes, seed %d", driver, message.remaining(), SEED)
                    .isEqualTo(wanted);
        }
    }

    @Test
    void theComposedDriverComesFirstAndPlainCodeLast() {
        for (NativeDigest digest : NativeDigest.values()) {
            assertThat(digest.drivers()).last().isEqualTo("portable");
            assertThat(digest.drivers()).doesNotHaveDuplicates();
        }
        assertThat(NativeGear.drivers()).last().isEqualTo("scalar");
        assertThat(NativeCrc64.drivers()).last().isEqualTo("table");
    }
}
