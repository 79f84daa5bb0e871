package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/** A key to be made. */
public record NewKey(String id, @Nullable String description) {}
