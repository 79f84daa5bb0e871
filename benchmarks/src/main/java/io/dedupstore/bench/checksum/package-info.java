/** Rates of checksums. */
@NullMarked
package io.dedupstore.bench.checksum;

import org.jspecify.annotations.NullMarked;
