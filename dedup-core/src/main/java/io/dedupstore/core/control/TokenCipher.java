package io.dedupstore.core.control;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dedupstore.core.control.ControlProto.SessionToken;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Temporary keys as tokens that every gateway of the cluster opens and nobody else can read or
 * make: sealed under the master key, nothing of them is kept. The layout is in
 * docs/formats/control.md.
 */
final class TokenCipher {
    static final int SALT_BYTES = 32;

    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 1 + SecretCipher.KEY_ID_BYTES + SALT_BYTES;
    private static final int MAX_TOKEN_CHARS = 6 << 10;

    private final SecretCipher cipher;

    TokenCipher(SecretCipher cipher) {
        this.cipher = cipher;
    }

    /**
     * @param salt random, of this token alone
     */
    String seal(TemporaryKey key, byte[] salt) {
        SessionToken.Builder token =
                SessionToken.newBuilder()
                        .setAccessKey(key.accessKey())
                        .setSecret(key.secretKey())
                        .setAccount(key.account())
                        .setSessionName(key.sessionName())
                        .setIssuedMillis(key.issuedMillis())
                        .setExpiresMillis(key.expiresMillis());
        key.identity().ifPresent(token::setIdentity);
        key.policy().ifPresent(token::setPolicy);
        byte[] sealed = cipher.sealSalted("session-token", token.build().toByteArray(), salt);
        byte[] bytes =
                ByteBuffer.allocate(HEADER_BYTES + sealed.length)
                        .put(VERSION)
                        .put(cipher.keyId())
                        .put(salt)
                        .put(sealed)
                        .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Empty for what is no token of this cluster. */
    Optional<TemporaryKey> open(String text) {
        if (text.length() > MAX_TOKEN_CHARS) {
            return Optional.empty();
        }
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        int saltAt = 1 + SecretCipher.KEY_ID_BYTES;
        boolean ours =
                bytes.length > HEADER_BYTES
                        && bytes[0] == VERSION
                        && Arrays.equals(cipher.keyId(), Arrays.copyOfRange(bytes, 1, saltAt));
        if (!ours) {
            return Optional.empty();
        }
        byte[] salt = Arrays.copyOfRange(bytes, saltAt, HEADER_BYTES);
        byte[] sealed = Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
        return cipher.openSalted("session-token", sealed, salt).flatMap(TokenCipher::parse);
    }

    private static Optional<TemporaryKey> parse(byte[] bytes) {
        try {
            SessionToken token = SessionToken.parseFrom(bytes);
            return Optional.of(
                    new TemporaryKey(
                            token.getAccessKey(),
                            token.getSecret(),
                            token.getAccount(),
                            nonEmpty(token.getIdentity()),
                            token.getSessionName(),
                            nonEmpty(token.getPolicy()),
                            token.getIssuedMillis(),
                            token.getExpiresMillis()));
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> nonEmpty(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
