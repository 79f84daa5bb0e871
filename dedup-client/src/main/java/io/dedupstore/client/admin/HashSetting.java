package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * What can be changed about hashing while the server runs.
 *
 * @param primaries threads that hash
 */
public record HashSetting(@Nullable Integer primaries) {}
