package io.dedupstore.client.admin;

import java.util.List;

/**
 * An account.
 *
 * @param canonicalId what access lists know it by
 * @param accessKeys of the account itself and its users
 */
public record AccountReport(
        String id,
        String canonicalId,
        String displayName,
        String email,
        int buckets,
        List<AccessKeyReport> accessKeys) {
    public AccountReport {
        accessKeys = List.copyOf(accessKeys);
    }
}
