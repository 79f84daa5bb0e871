/** What encrypting and decrypting a chunk costs. */
@NullMarked
package io.dedupstore.bench.cipher;

import org.jspecify.annotations.NullMarked;
