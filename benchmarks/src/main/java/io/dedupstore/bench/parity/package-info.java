/** What Reed-Solomon parity costs. */
@NullMarked
package io.dedupstore.bench.parity;

import org.jspecify.annotations.NullMarked;
