package io.dedupstore.server.s3;

import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The two ids that every response carries.
 *
 * @param requestId 16 hex digits
 * @param hostId opaque
 */
record RequestIds(String requestId, String hostId) {
    private static final int HOST_ID_BYTES = 24;

    static RequestIds next(RandomGenerator random) {
        byte[] host = new byte[HOST_ID_BYTES];
        random.nextBytes(host);
        return new RequestIds(
                HexFormat.of().withUpperCase().toHexDigits(random.nextLong()),
                Base64.getEncoder().encodeToString(host));
    }
}
