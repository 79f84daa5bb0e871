/**
 * Reed-Solomon parity: fragments in, fragments out. Knows bytes and fragment numbers only: not what
 * a fragment holds, where it is kept, or whether it is intact, which its own checksum must tell.
 * Calls take the time of their bytes; virtual threads leave them to a bounded pool.
 */
@NullMarked
package io.dedupstore.core.parity;

import org.jspecify.annotations.NullMarked;
