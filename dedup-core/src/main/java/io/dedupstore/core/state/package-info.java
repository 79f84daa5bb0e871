/**
 * What every replicated state machine shares: the apply contract, ordered outboxes and the
 * receiving side's sequence numbers. Pure: no clock, randomness, threads, files or network.
 */
@NullMarked
package io.dedupstore.core.state;

import org.jspecify.annotations.NullMarked;
