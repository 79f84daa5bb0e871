package io.dedupstore.server.policy;

import java.nio.charset.StandardCharsets;

/** Documents of policies: read, or refused. */
public final class PolicyFuzz {
    private PolicyFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            String text = new String(input, StandardCharsets.UTF_8);
            Policy.ofResource(text);
            Policy.ofIdentity(text);
        } catch (PolicyException e) {
            // refused
        }
    }
}
