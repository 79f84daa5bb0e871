package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataCommand.AnnounceClosed;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.MetadataShard;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.ReplicatedGroup;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One metadata shard as deliverer, resolver and epoch closer see it. Every method may be repeated;
 * all throw {@link MetadataException} with UNKNOWN when the group gives no answer, and {@link
 * IllegalStateException} for a step of an epoch close that is out of turn.
 */
public final class ReplicatedMetadataShard implements MetadataShard {
    /** The most chunks of one {@link #swap}. */
    public static final int MAX_SWAPS = MetadataCommand.SwapReferences.MAX_SWAPS;

    /** The most manifest rows of one {@link #swap}. */
    public static final int MAX_SWAP_ROWS = MetadataCommand.SwapReferences.MAX_ROWS;

    private final ShardId id;
    private final ShardCaller caller;
    private final Outbox outbox;

    public ReplicatedMetadataShard(ShardId id, ReplicatedGroup group) {
        this.id = id;
        this.caller = new ShardCaller(id, group);
        this.outbox = new Outbox(id);
    }

    @Override
    public ShardId id() {
        return id;
    }

    @Override
    public void resolve(V v, ShardId asking) {
        caller.submit(new MetadataCommand.Resolve(id, v, asking));
    }

    /**
     * Holders in use that have chunks without the index, in order.
     *
     * @param after only those behind this one; null for all
     */
    public List<V> holdersWithUnindexed(@Nullable V after, int limit) {
        return local(shard -> shard.holdersWithUnindexed(after, limit));
    }

    /** What a holder has without the index; may be stale. */
    public List<UnindexedChunk> unindexedOf(V holder) {
        return local(shard -> shard.unindexedOf(holder));
    }

    private <T> T local(Function<MetadataQueries, T> question) {
        return caller.readLocal(rows -> MetadataQueries.over(rows, id, question));
    }

    /**
     * Has a holder refer to chunks through the index that it has unindexed, and gives the slots
     * free that it owned; all or nothing.
     *
     * @param v whose claims hold the indexed references
     * @param rows all rows of the holder's manifest that name one of these chunks
     * @throws MetadataException SOURCE_CHANGED: the holder is not as it was; nothing was done and
     *     the claims are given up. UNKNOWN: no answer
     */
    public void swap(
            V v,
            V holder,
            List<Swap> swaps,
            Collection<Integer> rows,
            Map<ShardId, Retained> claimed) {
        caller.submit(
                new MetadataCommand.SwapReferences(
                        id, v, 0, holder, swaps, List.copyOf(rows), claimed));
    }

    /** Gives up the claims of an attempt. */
    public void abandon(V v, Set<ShardId> named) {
        caller.submit(new MetadataCommand.Abandon(id, v, 0, named));
    }

    // What a replica has applied is committed, so streams may be read from any of them.

    @Override
    public List<Destination> readyStreams(@Nullable Destination after, int limit) {
        return caller.readLocal(rows -> outbox.ready(rows, after, limit));
    }

    @Override
    public Run read(Destination stream, int maxItems) {
        Outbox.Run run = caller.readLocal(rows -> outbox.read(rows, stream, maxItems));
        return new Run(run.firstSequence(), run.messages());
    }

    @Override
    public void acknowledge(List<StreamPosition> positions) {
        caller.submit(new MetadataCommand.Acknowledge(id, positions));
    }

    @Override
    public void refuseEpoch(int epoch) {
        caller.submit(new MetadataCommand.RefuseEpoch(id, epoch));
    }

    @Override
    public boolean settled(int epoch) {
        return caller.read(rows -> MetadataQueries.over(rows, id, shard -> shard.isSettled(epoch)));
    }

    @Override
    public void forgetEpoch(int epoch) {
        caller.submit(new MetadataCommand.ForgetEpoch(id, epoch));
    }

    @Override
    public void announceClosed(int epoch, List<ContainerId> containers) {
        for (int from = 0; from < containers.size(); from += AnnounceClosed.MAX_CONTAINERS) {
            int to = Math.min(containers.size(), from + AnnounceClosed.MAX_CONTAINERS);
            caller.submit(new AnnounceClosed(id, epoch, containers.subList(from, to)));
        }
    }
}
