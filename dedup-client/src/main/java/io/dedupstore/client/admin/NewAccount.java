package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * An account to be made, with its first access key.
 *
 * @param email by which access lists may name it
 * @param accessKey made up where it is left out
 * @param secretKey made up where it is left out
 */
public record NewAccount(
        String displayName,
        @Nullable String email,
        @Nullable String accessKey,
        @Nullable String secretKey) {
    @Override
    public String toString() {
        return "NewAccount[" + displayName + "]";
    }
}
