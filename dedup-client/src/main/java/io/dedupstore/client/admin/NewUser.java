package io.dedupstore.client.admin;

import org.jspecify.annotations.Nullable;

/**
 * A user to be made.
 *
 * @param policy what it may do, as a document of the policy language; nothing where it is left out
 */
public record NewUser(String name, @Nullable String policy) {}
