/** Rates of chunkers. */
@NullMarked
package io.dedupstore.bench.chunking;

import org.jspecify.annotations.NullMarked;
