package io.dedupstore.core.spi;

import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.List;

/**
 * An index shard as the receiver of metadata outboxes, and as the one whose intents are resolved.
 */
public interface IndexShard extends OutboxShard {
    /**
     * Applies items of the stream from {@code source}; those already applied are passed over.
     *
     * @return the last applied sequence number of the stream
     */
    long deliver(ShardId source, long firstSequence, List<byte[]> messages);

    /** An intent nobody has decided yet, and the metadata shard that can. */
    record OpenIntent(V v, ShardId coordinator) {}

    /** Open intents of epochs up to this one, at most {@code limit}. */
    List<OpenIntent> openIntents(int epoch, int limit);
}
