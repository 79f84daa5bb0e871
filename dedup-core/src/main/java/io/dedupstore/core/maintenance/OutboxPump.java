package io.dedupstore.core.maintenance;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the outboxes of one shard: reads the oldest items of a stream, hands them over, and only
 * then has the shard forget them. The position of a stream is the shard's and the receiver's, never
 * this object's, so it may stop anywhere and be replaced at any time: what is delivered twice is
 * passed over by its sequence number.
 *
 * <p>One thread at a time; two pumps on one shard do no harm but waste.
 */
public final class OutboxPump {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxPump.class);
    private static final int MAX_STREAMS_PER_STEP = 1024;
    private static final int MAX_ITEMS_PER_RUN = 1000;

    private final OutboxShard source;
    private final Map<ShardId, ? extends IndexShard> indexShards;
    private final Function<ContainerId, ContainerNode> nodes;

    /** How often in a row a stream has failed: a log line for 1, 2, 4, 8 ... of them. */
    private final Map<Destination, Integer> failures = new HashMap<>();

    /**
     * @param nodes where a container is
     */
    public OutboxPump(
            OutboxShard source,
            Map<ShardId, ? extends IndexShard> indexShards,
            Function<ContainerId, ContainerNode> nodes) {
        this.source = source;
        this.indexShards = Map.copyOf(indexShards);
        this.nodes = nodes;
    }

    /**
     * Delivers one run of every stream that has items. A stream that cannot be delivered now keeps
     * its items and holds up no other.
     *
     * @return whether anything was delivered
     */
    public boolean step() {
        boolean progress = false;
        for (Destination stream : source.readyStreams(MAX_STREAMS_PER_STEP)) {
            try {
                progress |= deliver(stream);
                failures.remove(stream);
            } catch (RuntimeException e) {
                failed(stream, e);
            }
        }
        return progress;
    }

    private void failed(Destination stream, RuntimeException cause) {
        int times = failures.merge(stream, 1, Integer::sum);
        if (Integer.bitCount(times) == 1) {
            LOG.warn(
                    "{} could not deliver to {}, {} times in a row; it tries again",
                    source.id(),
                    stream,
                    times,
                    cause);
        }
    }

    private boolean deliver(Destination stream) {
        OutboxShard.Run run = source.read(stream, MAX_ITEMS_PER_RUN);
        if (run.messages().isEmpty()) {
            return false;
        }
        long last = run.firstSequence() + run.messages().size() - 1;
        long applied =
                switch (stream) {
                    case Destination.Shard(var shard) ->
                            indexShard(shard)
                                    .deliver(source.id(), run.firstSequence(), run.messages());
                    case Destination.Container(var container) ->
                            nodes.apply(container)
                                    .deliver(
                                            container,
                                            source.id(),
                                            run.firstSequence(),
                                            run.messages());
                };
        long upTo = Math.min(last, applied);
        if (upTo < run.firstSequence()) {
            throw new IllegalStateException(
                    "%s has applied up to %d only, and %d is the oldest item there is: restored from an old copy?"
                            .formatted(stream, applied, run.firstSequence()));
        }
        source.acknowledge(stream, upTo);
        return true;
    }

    private IndexShard indexShard(ShardId shard) {
        IndexShard found = indexShards.get(shard);
        if (found == null) {
            throw new IllegalStateException("no index shard " + shard);
        }
        return found;
    }

    /** Whether something waits to be delivered. */
    public boolean hasItems() {
        return !source.readyStreams(1).isEmpty();
    }
}
