package io.dedupstore.core.sigv4;

import java.util.HexFormat;

/**
 * What chunk and trailer signatures continue from: the key, time and scope of a signed head, and
 * its signature. Holds a signing key; never printed.
 */
public final class SigningContext {
    private static final HexFormat HEX = HexFormat.of();

    private final byte[] signingKey;
    private final String timestamp;
    private final String scope;
    private final String seed;

    SigningContext(byte[] signingKey, String timestamp, String scope, String seed) {
        this.signingKey = signingKey;
        this.timestamp = timestamp;
        this.scope = scope;
        this.seed = seed;
    }

    /** The signature of the request head, in lower-case hex. */
    public String seed() {
        return seed;
    }

    byte[] chunkSignature(String previous, String chunkSha256) {
        return Hmac.sign(signingKey, chunkStringToSign(previous, chunkSha256));
    }

    byte[] trailerSignature(String previous, String trailerSha256) {
        return Hmac.sign(signingKey, trailerStringToSign(previous, trailerSha256));
    }

    String chunkStringToSign(String previous, String chunkSha256) {
        return String.join(
                "\n",
                "AWS4-HMAC-SHA256-PAYLOAD",
                timestamp,
                scope,
                previous,
                PayloadMode.EMPTY_SHA256,
                chunkSha256);
    }

    String trailerStringToSign(String previous, String trailerSha256) {
        return String.join(
                "\n", "AWS4-HMAC-SHA256-TRAILER", timestamp, scope, previous, trailerSha256);
    }

    static String hex(byte[] bytes) {
        return HEX.formatHex(bytes);
    }
}
