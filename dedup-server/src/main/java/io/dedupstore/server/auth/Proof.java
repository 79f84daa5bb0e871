package io.dedupstore.server.auth;

import java.time.Instant;
import java.util.Optional;

/**
 * How a request proved who sends it.
 *
 * @param algorithm {@code AWS4-HMAC-SHA256}, or {@code AWS} for signatures of version 2
 * @param time when it was signed, where it says so
 */
public record Proof(Place place, String algorithm, Optional<Instant> time) {
    public static final String VERSION_4 = "AWS4-HMAC-SHA256";
    public static final String VERSION_2 = "AWS";

    /** Where the signature was. */
    public enum Place {
        HEADER,
        QUERY,
        FORM
    }
}
