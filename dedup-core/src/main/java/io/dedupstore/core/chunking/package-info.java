/**
 * Cuts streams of bytes into chunks. Knows bytes and lengths only: no fingerprints, no storage, no
 * threads.
 */
@NullMarked
package io.dedupstore.core.chunking;

import org.jspecify.annotations.NullMarked;
