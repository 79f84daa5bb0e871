package io.dedupstore.server.storage;

import java.util.concurrent.atomic.LongAdder;

/** What a storage node has done since its start. */
final class Counters {
    final LongAdder appendedChunks = new LongAdder();
    final LongAdder appendedBytes = new LongAdder();
    final LongAdder syncs = new LongAdder();
    final LongAdder compactedContainers = new LongAdder();
    final LongAdder compactedBytes = new LongAdder();
    final LongAdder deletedContainers = new LongAdder();
    final LongAdder failedCompactions = new LongAdder();
    final LongAdder scrubbedRecords = new LongAdder();
    final LongAdder scrubbedBytes = new LongAdder();
    final LongAdder damagedRecords = new LongAdder();
}
