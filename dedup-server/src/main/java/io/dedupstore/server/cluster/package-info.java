/**
 * What runs by itself: sessions' attempts, delivery of outboxes, background work of the groups,
 * closing of epochs. Threads and pacing live here, decisions in the core's {@code maintenance}.
 */
@NullMarked
package io.dedupstore.server.cluster;

import org.jspecify.annotations.NullMarked;
