package io.dedupstore.server.auth;

import java.util.Optional;

/**
 * What a principal wants to do.
 *
 * @param action e.g. {@code s3:GetObject}
 * @param resource e.g. {@code bucket/key}
 * @param ownerAccountId the account that owns the resource; empty where the caller's own account is
 *     the resource (list buckets, create a bucket)
 */
public record AccessRequest(String action, String resource, Optional<String> ownerAccountId) {
    public AccessRequest {
        if (action.isEmpty()) {
            throw new IllegalArgumentException("an access request needs an action");
        }
    }
}
