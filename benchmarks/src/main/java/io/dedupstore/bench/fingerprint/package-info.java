/** Rates of hash engines. */
@NullMarked
package io.dedupstore.bench.fingerprint;

import org.jspecify.annotations.NullMarked;
