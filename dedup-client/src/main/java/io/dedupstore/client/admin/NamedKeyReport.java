package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * A key that objects can be encrypted under.
 *
 * @param account whose it is alone; empty for everybody's
 * @param version how often it has got new material, the first time included
 * @param createdAt ISO 8601, UTC
 * @param rotatedAt null for never
 */
public record NamedKeyReport(
        String id,
        String description,
        String account,
        boolean enabled,
        int version,
        String createdAt,
        @Nullable String rotatedAt) {}
