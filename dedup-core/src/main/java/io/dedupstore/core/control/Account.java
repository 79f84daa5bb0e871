package io.dedupstore.core.control;

import io.dedupstore.core.model.DomainId;

/**
 * An account: the owner of buckets and access keys.
 *
 * @param domain the dedup domain its buckets share by default
 */
public record Account(String id, String displayName, DomainId domain) {}
