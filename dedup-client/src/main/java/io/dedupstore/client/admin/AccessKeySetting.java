package io.dedupstore.client.admin;

/**
 * What can be changed of an access key.
 *
 * @param active whether it opens anything
 */
public record AccessKeySetting(boolean active) {}
