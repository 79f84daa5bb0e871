/**
 * The query API of identities and tokens: users, groups, roles, their policies and access keys
 * (service {@code iam}), and temporary keys (service {@code sts}). Answers XML, also for errors.
 * Knows nothing of buckets and objects.
 */
@NullMarked
package io.dedupstore.server.iam;

import org.jspecify.annotations.NullMarked;
