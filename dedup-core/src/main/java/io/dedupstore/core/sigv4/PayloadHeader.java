package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.util.Locale;

/** Reads the value of {@code x-amz-content-sha256}. */
final class PayloadHeader {
    private PayloadHeader() {}

    static PayloadMode parse(String value) {
        return switch (value) {
            case PayloadMode.UNSIGNED_PAYLOAD -> new PayloadMode.Unsigned();
            case PayloadMode.STREAMING_SIGNED -> new PayloadMode.StreamingSigned();
            case PayloadMode.STREAMING_SIGNED_TRAILER -> new PayloadMode.StreamingSignedTrailer();
            case PayloadMode.STREAMING_UNSIGNED_TRAILER ->
                    new PayloadMode.StreamingUnsignedTrailer();
            case "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
                    "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER" ->
                    throw new SigV4Exception(
                            Reason.UNSUPPORTED_PAYLOAD_MODE,
                            "Payloads signed with ECDSA are not supported.");
            default -> parseHash(value);
        };
    }

    private static PayloadMode parseHash(String value) {
        try {
            return new PayloadMode.SignedHash(value.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new SigV4Exception(
                    Reason.INVALID_PAYLOAD_HASH,
                    "x-amz-content-sha256 must be UNSIGNED-PAYLOAD,"
                            + " STREAMING-UNSIGNED-PAYLOAD-TRAILER,"
                            + " STREAMING-AWS4-HMAC-SHA256-PAYLOAD,"
                            + " STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
                            + " or a valid sha256 value.",
                    java.util.Map.of(
                            "ArgumentName", "x-amz-content-sha256", "ArgumentValue", value));
        }
    }
}
