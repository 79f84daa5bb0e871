package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * What bounds the index.
 *
 * @param quota none, auto, bytes like 4GiB, or a number like "1000000 entries"
 */
public record QuotaSetting(@Nullable String quota) {}
