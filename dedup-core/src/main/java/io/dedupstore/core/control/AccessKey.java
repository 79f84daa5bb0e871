package io.dedupstore.core.control;

import java.util.Optional;

/**
 * An access key and its secret in the clear; never log it.
 *
 * @param user id of the user who has it; empty for the account itself
 * @param active whether it opens anything now
 */
public record AccessKey(
        String accessKey,
        String secretKey,
        String account,
        Optional<String> user,
        boolean active,
        long createdMillis) {

    /** An active key of the account itself. */
    public AccessKey(String accessKey, String secretKey, String account) {
        this(accessKey, secretKey, account, Optional.empty(), true, 0);
    }

    public AccessKey withActive(boolean nowActive) {
        return new AccessKey(accessKey, secretKey, account, user, nowActive, createdMillis);
    }

    @Override
    public String toString() {
        return "AccessKey[" + accessKey + " of " + account + "]";
    }
}
