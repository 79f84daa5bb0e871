package io.dedupstore.server.auth;

import java.util.Objects;

/** An access key with its secret. Never prints the secret. */
public record Credential(String accessKey, byte[] secret, String accountId) {
    public Credential {
        Objects.requireNonNull(accountId, "accountId");
        if (accessKey.isEmpty() || secret.length == 0 || accountId.isEmpty()) {
            throw new IllegalArgumentException("access key, secret and account must not be empty");
        }
        secret = secret.clone();
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }

    @Override
    public String toString() {
        return "Credential[" + accessKey + " of " + accountId + "]";
    }
}
