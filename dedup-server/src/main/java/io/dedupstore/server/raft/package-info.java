/**
 * Replication by Apache Ratis, and its only importer: one Raft server for a process, one group for
 * each state machine. Everything else sees {@link io.dedupstore.core.state.ReplicatedGroup}.
 */
@NullMarked
package io.dedupstore.server.raft;

import org.jspecify.annotations.NullMarked;
