package io.dedupstore.server.auth;

import java.util.Base64;
import java.util.random.RandomGenerator;

/** Makes up access keys, secrets and ids. Any thread. */
public final class KeyMaker {
    private static final char[] ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".toCharArray();
    private static final int ACCESS_KEY_CHARS = 16;
    private static final int SECRET_BYTES = 30;

    private final RandomGenerator random;

    /**
     * @param random cryptographically secure
     */
    public KeyMaker(RandomGenerator random) {
        this.random = random;
    }

    /** Of somebody's for good. */
    public String accessKey() {
        return id("AKIA");
    }

    /** Of a session. */
    public String temporaryAccessKey() {
        return id("ASIA");
    }

    /** The prefix and what makes it the only one of its kind. */
    public String id(String prefix) {
        StringBuilder text = new StringBuilder(prefix);
        for (int i = 0; i < ACCESS_KEY_CHARS; i++) {
            text.append(ALPHABET[random.nextInt(ALPHABET.length)]);
        }
        return text.toString();
    }

    public String secret() {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }
}
