package io.dedupstore.core.cipher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptCipherTest {
    private static final byte[] ROOT_BYTES = bytes(32, 1);
    private static final RootKey ROOT = new RootKey(ROOT_BYTES, 1);
    private static final RootKeys KEYS = (cipher, domain, version) -> ROOT;
    private static final DomainId DOMAIN = new DomainId(7);
    private static final AtomicLong ATTEMPTS = new AtomicLong();
    private static final Fingerprint FINGERPRINT = Fingerprint.of(bytes(32, 2));
    private static final byte[] PLAIN =
            "what must not be found on any disk".getBytes(StandardCharsets.UTF_8);

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Never twice: the cipher itself refuses to use a nonce again. */
    private static V attempt() {
        return new V(3, 5, ATTEMPTS.incrementAndGet());
    }

    private static byte[] seal(AttemptCipher cipher, byte[] plain) {
        ByteBuffer out = ByteBuffer.allocate(plain.length + cipher.cipher().overhead());
        cipher.seal(FINGERPRINT, 1, 77, ByteBuffer.wrap(plain), out);
        assertThat(out.hasRemaining()).isFalse();
        return out.array();
    }

    private static byte[] open(ChunkCipher cipher, byte[] stored) {
        return open(cipher, DOMAIN, FINGERPRINT, 1, 77, stored);
    }

    private static byte[] open(
            ChunkCipher cipher,
            DomainId domain,
            Fingerprint fingerprint,
            int codec,
            int length,
            byte[] stored) {
        ByteBuffer opened =
                AttemptCipher.open(
                        KEYS,
                        cipher.id(),
                        domain,
                        1,
                        fingerprint,
                        codec,
                        length,
                        ByteBuffer.wrap(stored));
        byte[] plain = new byte[opened.remaining()];
        opened.get(plain);
        return plain;
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void whatWasSealedOpens(ChunkCipher cipher) {
        for (int length : List.of(1, 15, 16, 17, 4096, 70_000, (1 << 20) + 3)) {
            byte[] plain = bytes(length, length);
            byte[] stored = seal(new AttemptCipher(cipher, ROOT, DOMAIN, attempt()), plain);
            assertThat(stored).hasSize(length + cipher.overhead());
            assertThat(open(cipher, stored)).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void everyBitCounts(ChunkCipher cipher) {
        byte[] stored = seal(new AttemptCipher(cipher, ROOT, DOMAIN, attempt()), PLAIN);
        for (int i = 0; i < stored.length; i++) {
            byte[] damaged = stored.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> open(cipher, damaged))
                    .isInstanceOfSatisfying(
                            CipherException.class,
                            e -> assertThat(e.code()).isEqualTo(CipherException.Code.DAMAGED));
        }
        assertThatThrownBy(() -> open(cipher, Arrays.copyOf(stored, cipher.overhead() - 1)))
                .isInstanceOf(CipherException.class);
    }

    @Test
    void sealedBytesPassForNothingElse() {
        byte[] stored = seal(new AttemptCipher(ChunkCipher.DOMAIN, ROOT, DOMAIN, attempt()), PLAIN);
        ChunkCipher cipher = ChunkCipher.DOMAIN;
        Fingerprint other = Fingerprint.of(bytes(32, 3));
        assertThatThrownBy(() -> open(ChunkCipher.CUSTOMER, stored))
                .isInstanceOf(CipherException.class);
        assertThatThrownBy(() -> open(cipher, new DomainId(8), FINGERPRINT, 1, 77, stored))
                .isInstanceOf(CipherException.class);
        assertThatThrownBy(() -> open(cipher, DOMAIN, other, 1, 77, stored))
                .isInstanceOf(CipherException.class);
        assertThatThrownBy(() -> open(cipher, DOMAIN, FINGERPRINT, 2, 77, stored))
                .isInstanceOf(CipherException.class);
        assertThatThrownBy(() -> open(cipher, DOMAIN, FINGERPRINT, 1, 78, stored))
                .isInstanceOf(CipherException.class);
    }

    @Test
    void equalBytesAreNeverSealedEqual() {
        AttemptCipher one = new AttemptCipher(ChunkCipher.DOMAIN, ROOT, DOMAIN, attempt());
        AttemptCipher other = new AttemptCipher(ChunkCipher.DOMAIN, ROOT, DOMAIN, attempt());
        byte[] first = Arrays.copyOfRange(seal(one, PLAIN), Origin.BYTES, Origin.BYTES + 16);
        byte[] second = Arrays.copyOfRange(seal(one, PLAIN), Origin.BYTES, Origin.BYTES + 16);
        byte[] third = Arrays.copyOfRange(seal(other, PLAIN), Origin.BYTES, Origin.BYTES + 16);
        assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
        assertThat(first).isNotEqualTo(second).isNotEqualTo(third);
        assertThat(second).isNotEqualTo(third);
    }

    @Test
    void unknownCiphersAreRefused() {
        byte[] stored = new byte[100];
        assertThatThrownBy(
                        () ->
                                AttemptCipher.open(
                                        KEYS,
                                        1,
                                        DOMAIN,
                                        1,
                                        FINGERPRINT,
                                        0,
                                        64,
                                        ByteBuffer.wrap(stored)))
                .isInstanceOfSatisfying(
                        CipherException.class,
                        e -> assertThat(e.code()).isEqualTo(CipherException.Code.UNKNOWN_CIPHER));
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void inlineBodiesKeepTheirLength(ChunkCipher cipher) {
        SealedInline sealed = new AttemptCipher(cipher, ROOT, DOMAIN, attempt()).sealInline(PLAIN);
        assertThat(sealed.bytes()).hasSameSizeAs(PLAIN).isNotEqualTo(PLAIN);
        assertThat(sealed.open(KEYS)).isEqualTo(PLAIN);
        for (int i = 0; i < sealed.seal().length; i++) {
            byte[] seal = sealed.seal().clone();
            seal[i] ^= 1;
            assertThatThrownBy(() -> new SealedInline(sealed.bytes(), seal).open(KEYS))
                    .isInstanceOf(CipherException.class);
        }
        byte[] damaged = sealed.bytes().clone();
        damaged[3] ^= 1;
        assertThatThrownBy(() -> new SealedInline(damaged, sealed.seal()).open(KEYS))
                .isInstanceOf(CipherException.class);
    }

    /** As docs/formats/container.md and metadata.md have it; computed by another implementation. */
    @Test
    void theFormatIsAsSpecified() {
        byte[] rootBytes = new byte[32];
        for (int i = 0; i < rootBytes.length; i++) {
            rootBytes[i] = (byte) i;
        }
        RootKey root = new RootKey(rootBytes, 1);
        byte[] name = new byte[32];
        Arrays.fill(name, (byte) 0xab);
        AttemptCipher cipher =
                new AttemptCipher(ChunkCipher.DOMAIN_TWICE, root, DOMAIN, new V(1, 2, 3));
        ByteBuffer out = ByteBuffer.allocate(5 + ChunkCipher.DOMAIN_TWICE.overhead());
        cipher.seal(Fingerprint.of(name), 1, 9, ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), out);
        assertThat(HexFormat.of().formatHex(out.array())).isEqualTo(CHUNK);
        SealedInline inline =
                new AttemptCipher(ChunkCipher.DOMAIN, root, DOMAIN, new V(1, 2, 4))
                        .sealInline(new byte[] {9, 8, 7});
        assertThat(HexFormat.of().formatHex(inline.bytes())).isEqualTo(INLINE);
        assertThat(HexFormat.of().formatHex(inline.seal())).isEqualTo(SEAL);
    }

    private static final String CHUNK =
            "00000001000000020000000000000003000000003d6e173ed85e36995cb2449f2b395b9c"
                    + "da0ae9c654a82effe9daecc951797373751bccdfd3";
    private static final String INLINE = "3b98ca";
    private static final String SEAL =
            "010200000007000000010000000100000002000000000000000400000000fd68a11ffaeb"
                    + "555ddf4c5d748ec56b75";
}
