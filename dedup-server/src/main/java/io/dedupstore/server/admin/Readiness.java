package io.dedupstore.server.admin;

import java.util.List;

/**
 * Whether S3 can be served.
 *
 * @param reasons what is missing; empty when ready
 */
public record Readiness(boolean ready, List<String> reasons) {
    public static final Readiness READY = new Readiness(true, List.of());

    public Readiness {
        reasons = List.copyOf(reasons);
        if (ready != reasons.isEmpty()) {
            throw new IllegalArgumentException(
                    "reasons are for what is not ready, and needed there");
        }
    }

    public static Readiness waitingFor(String... reasons) {
        return new Readiness(false, List.of(reasons));
    }
}
