package io.dedupstore.client.admin;

/** Which key is meant. */
public record KeyName(String id) {}
