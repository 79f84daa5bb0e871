package io.dedupstore.client.admin;

import java.util.List;

/**
 * A user of an account.
 *
 * @param policies names of its own policies
 */
public record UserReport(
        String name, String id, String arn, List<String> policies, List<String> accessKeys) {
    public UserReport {
        policies = List.copyOf(policies);
        accessKeys = List.copyOf(accessKeys);
    }
}
