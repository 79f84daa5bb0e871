package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * An access key.
 *
 * @param secretKey only in the answer that made it
 * @param user who has it; the account itself where there is none
 */
public record AccessKeyReport(
        String accessKey,
        @Nullable String secretKey,
        String account,
        @Nullable String user,
        boolean active,
        String createdAt) {
    @Override
    public String toString() {
        return "AccessKeyReport[" + accessKey + "]";
    }
}
