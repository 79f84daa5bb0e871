/**
 * The two ports of the data path, batches in and batches out: the fingerprint index and the chunk
 * store. Implementations live in the server; {@code object} is their user.
 */
@NullMarked
package io.dedupstore.core.spi;

import org.jspecify.annotations.NullMarked;
