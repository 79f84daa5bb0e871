/**
 * Decisions that keep the store tidy: delivery of outboxes, verdicts on abandoned attempts, closing
 * of epochs, the index's quota, pruning and verification. Steps without threads or clocks; who runs
 * them, and when, is the server's business.
 */
@NullMarked
package io.dedupstore.core.maintenance;

import org.jspecify.annotations.NullMarked;
