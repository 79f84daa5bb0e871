/**
 * The control group's state: cluster id, sessions and epochs, accounts and keys, dedup domains,
 * buckets, containers. Commands, codec, state machine, and the service the other roles call.
 */
@NullMarked
package io.dedupstore.core.control;

import org.jspecify.annotations.NullMarked;
