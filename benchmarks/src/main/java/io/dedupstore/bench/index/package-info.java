/**
 * The fingerprint index under load: the real state machine, tables, Raft log and outboxes, composed
 * as the embedded server composes them. Nothing here is a test.
 */
@NullMarked
package io.dedupstore.bench.index;

import org.jspecify.annotations.NullMarked;
