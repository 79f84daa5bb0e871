/**
 * Access policies: documents of the policy language read and checked, and decided against a
 * request. Pure: no clock, no I/O, no S3 and no HTTP; what a request looks like is told by {@link
 * io.dedupstore.server.policy.Facts}.
 */
@NullMarked
package io.dedupstore.server.policy;

import org.jspecify.annotations.NullMarked;
