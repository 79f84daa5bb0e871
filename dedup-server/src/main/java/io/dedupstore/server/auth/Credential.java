package io.dedupstore.server.auth;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * An access key with its secret. Never prints the secret.
 *
 * @param principal who has it
 * @param expires when it opens nothing any more
 */
public record Credential(
        String accessKey, byte[] secret, Principal.Account principal, Optional<Instant> expires) {
    public Credential {
        Objects.requireNonNull(principal, "principal");
        if (accessKey.isEmpty() || secret.length == 0) {
            throw new IllegalArgumentException("access key and secret must not be empty");
        }
        secret = secret.clone();
    }

    /** Of an account itself, for ever. */
    public Credential(String accessKey, byte[] secret, String accountId) {
        this(accessKey, secret, new Principal.Account(accountId, accessKey), Optional.empty());
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }

    @Override
    public String toString() {
        return "Credential[" + accessKey + " of " + principal.accountId() + "]";
    }
}
