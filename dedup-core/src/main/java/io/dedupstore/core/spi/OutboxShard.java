package io.dedupstore.core.spi;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shard seen from outside by what delivers its outboxes and closes its epochs. Blocking. */
public interface OutboxShard {
    ShardId id();

    /**
     * Streams with undelivered items in a fixed order, at most {@code limit}.
     *
     * @param after only those behind this one; null for all
     */
    List<Destination> readyStreams(@Nullable Destination after, int limit);

    /**
     * A run of items of one stream.
     *
     * @param firstSequence sequence number of the first item; the others follow without gap
     * @param messages encoded by the message codec of {@code state}
     */
    record Run(long firstSequence, List<byte[]> messages) {}

    /** The oldest undelivered items of a stream, at most {@code maxItems} and about 256 KiB. */
    Run read(Destination stream, int maxItems);

    /**
     * Forgets the items of streams up to where they were applied, in one entry; of many items some
     * may stay for another time.
     *
     * @param positions at most {@link StreamPosition#MAX_STREAMS}
     */
    void acknowledge(List<StreamPosition> positions);

    /** Refuses gateway requests of epochs up to this one from now on (steps i and ii). */
    void refuseEpoch(int epoch);

    /** Whether nothing of epochs up to this one is open here: no intents, no cursors. */
    boolean settled(int epoch);

    /** Drops tombstones, fates and early manifest rows of epochs up to this one (step iii). */
    void forgetEpoch(int epoch);

    /** Queues {@code Closed(epoch)} on the streams to these containers (step iv). */
    void announceClosed(int epoch, List<ContainerId> containers);
}
