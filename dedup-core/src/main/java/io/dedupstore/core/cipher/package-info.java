/**
 * Encryption of chunk bytes and inline bodies, and the keys it derives. Knows nothing of where keys
 * are kept or who may use them.
 */
@NullMarked
package io.dedupstore.core.cipher;

import org.jspecify.annotations.NullMarked;
