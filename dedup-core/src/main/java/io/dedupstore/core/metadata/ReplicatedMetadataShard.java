package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataCommand.AnnounceClosed;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.MetadataShard;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.ReplicatedGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One metadata shard as deliverer, resolver and epoch closer see it. Every method may be repeated;
 * all throw {@link MetadataException} with UNKNOWN when the group gives no answer, and {@link
 * IllegalStateException} for a step of an epoch close that is out of turn.
 */
public final class ReplicatedMetadataShard implements MetadataShard {
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
