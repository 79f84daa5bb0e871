package io.dedupstore.server.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The secret that opens the admin API. Compared in a time that does not depend on how much is
 * right.
 */
public final class AdminToken {
    private static final int MIN_LENGTH = 16;
    private static final String SCHEME = "bearer ";

    private final byte[] secret;

    public AdminToken(String secret) {
        if (secret.length() < MIN_LENGTH) {
            throw new IllegalArgumentException(
                    "an admin token must have at least " + MIN_LENGTH + " characters");
        }
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether an Authorization header's value carries this token. */
    boolean opens(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(
                        secret,
                        authorization
                                .substring(SCHEME.length())
                                .strip()
                                .getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "AdminToken[hidden]";
    }
}
