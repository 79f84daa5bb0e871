/** {@code dedup bench hash}: rates of drivers and of the hashing engine, and what callers wait. */
@NullMarked
package io.dedupstore.bench.fingerprint;

import org.jspecify.annotations.NullMarked;
