package io.dedupstore.core.control;

import java.util.Optional;

/**
 * An access key that no gateway keeps: all there is to know of it is in its token. Never log it.
 *
 * @param account whose it is
 * @param identity id of the user or role it speaks for; empty for the account itself
 * @param sessionName of an assumed role; empty otherwise
 * @param policy a document that narrows it further
 */
public record TemporaryKey(
        String accessKey,
        String secretKey,
        String account,
        Optional<String> identity,
        String sessionName,
        Optional<String> policy,
        long issuedMillis,
        long expiresMillis) {
    @Override
    public String toString() {
        return "TemporaryKey[" + accessKey + " of " + account + "]";
    }
}
