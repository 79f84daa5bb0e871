/** Rates of codecs. */
@NullMarked
package io.dedupstore.bench.compression;

import org.jspecify.annotations.NullMarked;
