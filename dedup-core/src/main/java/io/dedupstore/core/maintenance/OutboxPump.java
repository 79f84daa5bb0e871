package io.dedupstore.core.maintenance;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the outboxes of one shard: reads the oldest items of a stream, hands them over, and only
 * then has the shard forget them. The position of a stream is the shard's and the receiver's, never
 * this object's, so it may stop anywhere and be replaced at any time: what is delivered twice is
 * passed over by its sequence number.
 *
 * <p>Streams take turns: each step goes on behind the last stream of the one before, so that many
 * streams that fail hold up no other. A stream that failed is left out for a few steps, longer each
 * time. What was delivered in a step is forgotten in as few entries as it takes.
 *
 * <p>One thread at a time; two pumps on one shard do no harm but waste.
 */
public final class OutboxPump {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxPump.class);
    private static final int MAX_STREAMS_PER_STEP = 1024;
    private static final int MAX_ITEMS_PER_RUN = 1000;
    private static final int MAX_ITEMS_PER_ENTRY = 1500;
    private static final int MAX_STEPS_LEFT_OUT = 8;

    private final OutboxShard source;
    private final Map<ShardId, ? extends IndexShard> indexShards;
    private final Function<ContainerId, ContainerNode> nodes;
    private final Map<Destination, Failure> failures = new HashMap<>();
    private final List<StreamPosition> applied = new ArrayList<>();
    private long appliedItems;
    private long steps;
    private @Nullable Destination last;

    /**
     * Of a stream that failed.
     *
     * @param times in a row
     * @param nextStep when it is tried again
     */
    private record Failure(int times, long nextStep) {}

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
     * Delivers one run of the streams whose turn it is. A stream that cannot be delivered now keeps
     * its items.
     *
     * @return whether anything was delivered
     */
    public boolean step() {
        steps++;
        boolean progress = false;
        try {
            for (Destination stream : next()) {
                progress |= tryDeliver(stream);
            }
        } finally {
            acknowledge();
        }
        return progress;
    }

    private List<Destination> next() {
        List<Destination> streams = source.readyStreams(last, MAX_STREAMS_PER_STEP);
        if (streams.isEmpty() && last != null) {
            streams = source.readyStreams(null, MAX_STREAMS_PER_STEP);
        }
        last = streams.size() < MAX_STREAMS_PER_STEP ? null : streams.getLast();
        return streams;
    }

    private boolean tryDeliver(Destination stream) {
        Failure before = failures.get(stream);
        if (before != null && before.nextStep() > steps) {
            return false;
        }
        try {
            boolean delivered = deliver(stream);
            failures.remove(stream);
            return delivered;
        } catch (RuntimeException e) {
            failed(stream, before == null ? 1 : before.times() + 1, e);
            return false;
        }
    }

    private void failed(Destination stream, int times, RuntimeException cause) {
        failures.put(stream, new Failure(times, steps + Math.min(times, MAX_STEPS_LEFT_OUT)));
        // A log line for 1, 2, 4, 8 ... times.
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
        long lastItem = run.firstSequence() + run.messages().size() - 1;
        long upTo = Math.min(lastItem, handOver(stream, run));
        if (upTo < run.firstSequence()) {
            throw new IllegalStateException(
                    "%s has applied up to %d only, and %d is the oldest item there is: restored from an old copy?"
                            .formatted(stream, upTo, run.firstSequence()));
        }
        applied.add(new StreamPosition(stream, upTo));
        appliedItems += upTo - run.firstSequence() + 1;
        if (applied.size() == StreamPosition.MAX_STREAMS || appliedItems >= MAX_ITEMS_PER_ENTRY) {
            acknowledge();
        }
        return true;
    }

    /** The number of the last item applied. */
    private long handOver(Destination stream, OutboxShard.Run run) {
        return switch (stream) {
            case Destination.Shard(ShardId shard) ->
                    indexShard(shard).deliver(source.id(), run.firstSequence(), run.messages());
            case Destination.Container(ContainerId container) ->
                    nodes.apply(container)
                            .deliver(container, source.id(), run.firstSequence(), run.messages());
        };
    }

    private void acknowledge() {
        if (!applied.isEmpty()) {
            List<StreamPosition> positions = List.copyOf(applied);
            applied.clear();
            appliedItems = 0;
            source.acknowledge(positions);
        }
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
        return !source.readyStreams(null, 1).isEmpty();
    }
}
