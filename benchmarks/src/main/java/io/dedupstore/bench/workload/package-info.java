/**
 * Data for benchmarks and loads: made from a seed, of any size, with known duplicates, locality,
 * edits and compressibility, and checkable byte by byte without a copy. Knows nothing of a store;
 * only the report looks at it through the product's codecs and chunkers.
 */
@NullMarked
package io.dedupstore.bench.workload;

import org.jspecify.annotations.NullMarked;
