/**
 * The one place for hashing content: batches of chunk digests, their keyed fingerprints and running
 * digests of whole bodies. Threads belong to the caller.
 */
@NullMarked
package io.dedupstore.core.fingerprint;

import org.jspecify.annotations.NullMarked;
