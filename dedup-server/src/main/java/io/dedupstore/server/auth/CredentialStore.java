package io.dedupstore.server.auth;

import java.util.Optional;

/** Finds credentials. Called once per request, so it answers from memory. */
@FunctionalInterface
public interface CredentialStore {
    /** A key that needs no token. */
    Optional<Credential> find(String accessKey);

    /**
     * What a session token holds, its expiry not judged; empty for what is no token of this cluster
     * or speaks for somebody who is gone.
     */
    default Optional<Credential> ofToken(String token) {
        return Optional.empty();
    }
}
