package io.dedupstore.server.auth;

import java.util.Optional;

/** Finds credentials that are valid now. Called once per request, so it answers from memory. */
@FunctionalInterface
public interface CredentialStore {
    Optional<Credential> find(String accessKey);
}
