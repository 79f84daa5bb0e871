package io.dedupstore.core.sigv4;

import java.util.regex.Pattern;

/** What {@code x-amz-content-sha256} says about the payload. */
public sealed interface PayloadMode {
    String UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";
    String STREAMING_SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
    String STREAMING_SIGNED_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";
    String STREAMING_UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";

    /** SHA-256 of the empty message. */
    String EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /** The value as it stands in the canonical request. */
    String headerValue();

    /** Whether the body is in {@code aws-chunked} framing. */
    default boolean framed() {
        return switch (this) {
            case SignedHash hash -> false;
            case Unsigned unsigned -> false;
            case StreamingSigned signed -> true;
            case StreamingSignedTrailer signed -> true;
            case StreamingUnsignedTrailer unsigned -> true;
        };
    }

    /** The payload's SHA-256 is part of the signature. */
    record SignedHash(String hex) implements PayloadMode {
        private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

        public SignedHash {
            if (!HEX.matcher(hex).matches()) {
                throw new IllegalArgumentException("not 64 lower-case hex digits");
            }
        }

        @Override
        public String headerValue() {
            return hex;
        }
    }

    record Unsigned() implements PayloadMode {
        @Override
        public String headerValue() {
            return UNSIGNED_PAYLOAD;
        }
    }

    /** Chunks, each with a signature that continues the one before it. */
    record StreamingSigned() implements PayloadMode {
        @Override
        public String headerValue() {
            return STREAMING_SIGNED;
        }
    }

    /** Signed chunks, then signed trailing fields. */
    record StreamingSignedTrailer() implements PayloadMode {
        @Override
        public String headerValue() {
            return STREAMING_SIGNED_TRAILER;
        }
    }

    /** Plain chunks, then trailing fields; only the head is signed. */
    record StreamingUnsignedTrailer() implements PayloadMode {
        @Override
        public String headerValue() {
            return STREAMING_UNSIGNED_TRAILER;
        }
    }
}
