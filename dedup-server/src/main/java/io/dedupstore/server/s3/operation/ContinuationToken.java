package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.UriText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a listing goes on: the range of the bucket it is in and the last line that was sent. Opaque
 * to clients: base64url of version 1, the range's number (big-endian, 0 while a bucket is one
 * range), and the line in UTF-8.
 */
record ContinuationToken(int range, String after) {
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 1 + Integer.BYTES;
    private static final int ONLY_RANGE = 0;

    ContinuationToken(String after) {
        this(ONLY_RANGE, after);
    }

    /**
     * @throws S3Exception InvalidArgument
     */
    static ContinuationToken parse(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (bytes.remaining() > HEADER_BYTES && bytes.get() == VERSION) {
                int range = bytes.getInt();
                byte[] after = new byte[bytes.remaining()];
                bytes.get(after);
                return new ContinuationToken(range, UriText.strictUtf8(after));
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw S3Exception.invalidArgument(
                "The continuation token provided is incorrect", "continuation-token", text);
    }

    String format() {
        byte[] utf8 = after.getBytes(StandardCharsets.UTF_8);
        byte[] bytes =
                ByteBuffer.allocate(HEADER_BYTES + utf8.length)
                        .put(VERSION)
                        .putInt(range)
                        .put(utf8)
                        .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
