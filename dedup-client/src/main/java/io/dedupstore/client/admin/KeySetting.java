package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * Switches a key on or off.
 *
 * @param enabled whether objects under it can be read and written
 */
public record KeySetting(String id, @Nullable Boolean enabled) {}
