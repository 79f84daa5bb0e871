package io.dedupstore.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.DomainId;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LocalKeyProviderTest {
    private static final byte[] SECRET = new byte[32];

    private final ControlFixture group = new ControlFixture();
    private final ControlClient client = ControlFixture.clusterOf(group, 1, 1);
    private final String account = client.rootAccount().id();
    private final DomainId domain = client.rootAccount().domain();
    private final KeyProvider keys = client.keys();

    private CipherDomain make(String key) {
        String purpose = CipherDomain.purpose(domain, key, false);
        return client.makeCipherDomain(domain, key, false, keys.wrap(key, purpose, SECRET));
    }

    private byte[] unwrap(CipherDomain cipherDomain) {
        return keys.unwrap(
                cipherDomain.key(),
                cipherDomain.purpose(),
                cipherDomain.wrappedKey().toByteArray());
    }

    private static void requireCode(ControlException.Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ControlException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void namesFindKeys() {
        client.createKey("photos", "");
        String arn = "arn:aws:kms:us-east-1:" + account + ":";
        assertThat(keys.find(account, "photos")).isPresent();
        assertThat(keys.find(account, "alias/photos")).isPresent();
        assertThat(keys.find(account, arn + "key/photos")).isPresent();
        assertThat(keys.find(account, arn + "alias/photos")).isPresent();
        assertThat(keys.find(account, "photo")).isEmpty();
        assertThat(keys.find(account, arn + "key/other")).isEmpty();
        assertThat(keys.find(account, "arn:aws:kms:us-east-1:999999999999:key/photos")).isEmpty();
    }

    @Test
    void everyAccountHasADefaultKeyOfItsOwn() {
        String other = client.createAccount("other").id();
        NamedKey mine = keys.defaultKey(account);
        assertThat(keys.defaultKey(account)).isEqualTo(mine);
        assertThat(keys.find(account, "alias/aws/s3")).contains(mine);
        assertThat(keys.find(account, mine.id())).contains(mine);
        assertThat(keys.find(other, mine.id())).isEmpty();
        assertThat(keys.defaultKey(other).id()).isNotEqualTo(mine.id());
    }

    @Test
    void keysOfTheServerAreNotForClients() {
        NamedKey managed = keys.managedKey();
        assertThat(keys.find(account, managed.id())).isEmpty();
        requireCode(ControlException.Code.REFUSED, () -> client.createKey(managed.id(), ""));
        requireCode(ControlException.Code.REFUSED, () -> client.createKey("two words", ""));
        client.createKey("once", "");
        requireCode(ControlException.Code.KEY_EXISTS, () -> client.createKey("once", ""));
    }

    @Test
    void rotationWrapsAnewAndChangesNoKey() {
        client.createKey("photos", "");
        CipherDomain before = make("photos");
        byte[] material = client.keys().unwrap("photos", before.purpose(), wrapped(before));
        NamedKey rotated = client.rotateKey("photos");
        CipherDomain after = client.findCipherDomain(before.id()).orElseThrow();
        assertThat(rotated.version()).isEqualTo(2);
        assertThat(after.wrappedKey()).isNotEqualTo(before.wrappedKey());
        assertThat(unwrap(after)).isEqualTo(SECRET).isEqualTo(material);
        assertThatThrownBy(() -> unwrap(before)).isInstanceOf(IllegalStateException.class);
        assertThat(group.client().findCipherDomain(domain, "photos", false)).contains(after);
        assertThat(client.rotateKey("photos").version()).isEqualTo(3);
        requireCode(ControlException.Code.NO_SUCH_KEY, () -> client.rotateKey("nobody"));
    }

    private static byte[] wrapped(CipherDomain cipherDomain) {
        return cipherDomain.wrappedKey().toByteArray();
    }

    @Test
    void aDomainIsMadeOnce() {
        client.createKey("photos", "");
        CipherDomain first = make("photos");
        assertThat(make("photos")).isEqualTo(first);
        assertThat(first.id()).isNotEqualTo(domain);
        assertThat(client.createAccount("later").domain()).isNotEqualTo(first.id());
    }

    @Test
    void whatWasWrappedBeforeARotationIsNotTaken() {
        client.createKey("photos", "");
        String purpose = CipherDomain.purpose(domain, "photos", false);
        KeyProvider.Wrapped old = keys.wrap("photos", purpose, SECRET);
        client.rotateKey("photos");
        requireCode(
                ControlException.Code.KEY_CHANGED,
                () -> client.makeCipherDomain(domain, "photos", false, old));
        assertThat(unwrap(make("photos"))).isEqualTo(SECRET);
    }

    @Test
    void disabledKeysWrapAndUnwrapNothing() {
        client.createKey("photos", "");
        CipherDomain made = make("photos");
        client.enableKey("photos", false);
        requireCode(ControlException.Code.KEY_DISABLED, () -> unwrap(made));
        requireCode(ControlException.Code.KEY_DISABLED, () -> make("photos"));
        client.rotateKey("photos");
        client.enableKey("photos", true);
        assertThat(unwrap(client.findCipherDomain(made.id()).orElseThrow())).isEqualTo(SECRET);
    }

    @Test
    void secretsAreNotInTheLog() {
        client.createKey("photos", "");
        byte[] secret = new byte[32];
        Arrays.fill(secret, (byte) 0x5a);
        String purpose = CipherDomain.purpose(domain, "photos", false);
        client.makeCipherDomain(domain, "photos", false, keys.wrap("photos", purpose, secret));
        assertThat(group.log)
                .noneMatch(
                        command ->
                                new String(command, java.nio.charset.StandardCharsets.ISO_8859_1)
                                        .contains("ZZZZZZZZ"));
    }
}
