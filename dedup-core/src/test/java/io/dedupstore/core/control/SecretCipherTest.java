package io.dedupstore.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SecretCipherTest {
    private static final byte[] NONCE = HexFormat.of().parseHex("a0a1a2a3a4a5a6a7a8a9aaab");
    private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.US_ASCII);

    private final SecretCipher cipher = new SecretCipher(ControlFixture.MASTER_KEY);

    @Test
    void aSecretComesBackForThePurposeItWasSealedFor() {
        SealedSecret sealed = cipher.seal("access-key/1/KEY", SECRET, NONCE);

        assertThat(cipher.open("access-key/1/KEY", sealed)).isEqualTo(SECRET);
        assertThatThrownBy(() -> cipher.open("access-key/2/KEY", sealed))
                .hasMessageContaining("does not verify");
    }

    @Test
    void headerIsTheDocumentedOne() {
        String sealed =
                HexFormat.of().formatHex(cipher.seal("access-key/1/KEY", SECRET, NONCE).bytes());

        assertThat(sealed)
                .startsWith(
                        "01"
                                + HexFormat.of().formatHex(cipher.keyId())
                                + "a0a1a2a3a4a5a6a7a8a9aaab")
                .hasSize(2 * (1 + 8 + 12 + SECRET.length + 16));
    }

    @Test
    void everyFlippedBitIsNoticed() {
        byte[] sealed = cipher.seal("p", SECRET, NONCE).bytes();
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] damaged = sealed.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> cipher.open("p", new SealedSecret(damaged)))
                    .as("bit %d", bit)
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void anotherMasterKeyIsNamedAsTheReason() {
        SealedSecret sealed = cipher.seal("p", SECRET, NONCE);

        assertThatThrownBy(() -> new SecretCipher(new byte[32]).open("p", sealed))
                .hasMessageContaining("another master key");
    }

    @Test
    void wrongSizesAreTheCallersMistake() {
        assertThatThrownBy(() -> new SecretCipher(new byte[16]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cipher.seal("p", SECRET, new byte[11]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SealedSecret(new byte[36]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
