package io.dedupstore.core.control;

import io.dedupstore.core.model.DomainId;

/**
 * An account: the owner of buckets, users and access keys.
 *
 * @param domain the dedup domain its buckets share by default
 * @param canonicalId what access lists know it by; the account id for accounts of the first release
 * @param email by which access lists may name it; empty for none
 */
public record Account(
        String id, String displayName, DomainId domain, String canonicalId, String email) {}
