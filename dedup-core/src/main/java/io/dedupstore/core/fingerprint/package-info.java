/**
 * The one place for hashing content: chunk digests, their keyed fingerprints and running digests of
 * whole bodies, of all requests together. {@link io.dedupstore.core.fingerprint.HashEngine} has the
 * threads and says how they work; nothing else in the data path computes digests.
 */
@NullMarked
package io.dedupstore.core.fingerprint;

import org.jspecify.annotations.NullMarked;
