package io.dedupstore.server.auth;

import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.time.Instant;
import java.util.Optional;

/** Temporary keys come with a token, which holds all there is to know of them. */
final class TokenChecks {
    private TokenChecks() {}

    /**
     * The credential that a request names; empty where there is no such key.
     *
     * @throws SigV4Exception the token is none, or another key's
     */
    static Optional<Credential> find(
            CredentialStore credentials, String accessKey, Optional<String> token) {
        if (token.isEmpty()) {
            return credentials.find(accessKey);
        }
        Optional<Credential> found =
                credentials
                        .ofToken(token.get())
                        .filter(credential -> credential.accessKey().equals(accessKey));
        if (found.isEmpty()) {
            throw new SigV4Exception(
                    Reason.INVALID_TOKEN, "The provided token is malformed or otherwise invalid.");
        }
        return found;
    }

    /** To be called once the signature has been found good. */
    static Principal.Account principal(Credential proved, Instant now) {
        if (proved.expires().filter(expiry -> !now.isBefore(expiry)).isPresent()) {
            throw new SigV4Exception(Reason.EXPIRED_TOKEN, "The provided token has expired.");
        }
        return proved.principal();
    }
}
