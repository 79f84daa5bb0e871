package io.dedupstore.core.control;

/**
 * A key of the key provider, as everybody may see it.
 *
 * @param account whose it is alone; empty for everybody's
 * @param version how often it has got new material, the first time included
 * @param rotatedMillis 0 for never
 */
public record NamedKey(
        String id,
        String description,
        String account,
        boolean enabled,
        int version,
        long createdMillis,
        long rotatedMillis) {}
