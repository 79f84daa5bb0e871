package io.dedupstore.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenCipherTest {
    private static final TemporaryKey KEY =
            new TemporaryKey(
                    "ASIAKEY",
                    "secret",
                    "123456789012",
                    Optional.of("AIDAONE"),
                    "session",
                    Optional.of("{}"),
                    1,
                    2);
    private static final byte[] SALT = new byte[TokenCipher.SALT_BYTES];
    private static final String VERSION_1 =
            "AX0lx-v63EJQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAaF2g3xgMYxS3ZX2gdEf8L-Z3WON3rESSP4bNmUXrW39jPLXd5ZueVzHnx7jlNaihm4rGWuZhknF7-ZrTwo0EpwoY6705SZZDg";

    private final TokenCipher cipher = of(ControlFixture.MASTER_KEY);

    private static TokenCipher of(byte[] masterKey) {
        return new TokenCipher(new SecretCipher(masterKey));
    }

    @Test
    void tokensHaveTheBytesOfVersionOne() {
        assertThat(cipher.seal(KEY, SALT)).isEqualTo(VERSION_1);
        assertThat(cipher.open(VERSION_1)).hasValue(KEY);
    }

    @Test
    void whatIsNoTokenOfThisClusterIsNone() {
        String token = cipher.seal(KEY, SALT);
        byte[] other = ControlFixture.MASTER_KEY.clone();
        other[0]++;
        assertThat(of(other).open(token)).isEmpty();
        assertThat(cipher.open("")).isEmpty();
        assertThat(cipher.open("?")).isEmpty();
        assertThat(cipher.open("A".repeat(100_000))).isEmpty();
        for (int i = 0; i < token.length() - 1; i++) {
            char c = token.charAt(i) == 'A' ? 'B' : 'A';
            String changed = token.substring(0, i) + c + token.substring(i + 1);
            assertThat(cipher.open(changed)).as("at %d", i).isEmpty();
            assertThat(cipher.open(token.substring(0, i))).as("up to %d", i).isEmpty();
        }
    }
}
