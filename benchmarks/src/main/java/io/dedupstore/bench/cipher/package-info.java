/** Rates of codecs. */
@NullMarked
package io.dedupstore.bench.cipher;

import org.jspecify.annotations.NullMarked;
