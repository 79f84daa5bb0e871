package io.dedupstore.core.sim;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.MetadataShard;
import io.dedupstore.core.spi.OutboxShard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shard of either kind with a bug planted between it and who uses it. */
class AlteredShard implements MetadataShard, IndexShard {
    private final OutboxShard shard;

    AlteredShard(MetadataShard shard) {
        this.shard = shard;
    }

    AlteredShard(IndexShard shard) {
        this.shard = shard;
    }

    @Override
    public ShardId id() {
        return shard.id();
    }

    @Override
    public void resolve(V v, ShardId asking) {
        ((MetadataShard) shard).resolve(v, asking);
    }

    @Override
    public long deliver(ShardId source, long firstSequence, List<byte[]> messages) {
        return ((IndexShard) shard).deliver(source, firstSequence, messages);
    }

    @Override
    public List<OpenIntent> openIntents(int epoch, int limit) {
        return ((IndexShard) shard).openIntents(epoch, limit);
    }

    @Override
    public List<Destination> readyStreams(@Nullable Destination after, int limit) {
        return shard.readyStreams(after, limit);
    }

    @Override
    public Run read(Destination stream, int maxItems) {
        return shard.read(stream, maxItems);
    }

    @Override
    public void acknowledge(List<StreamPosition> positions) {
        shard.acknowledge(positions);
    }

    @Override
    public void refuseEpoch(int epoch) {
        shard.refuseEpoch(epoch);
    }

    @Override
    public boolean settled(int epoch) {
        return shard.settled(epoch);
    }

    @Override
    public void forgetEpoch(int epoch) {
        shard.forgetEpoch(epoch);
    }

    @Override
    public void announceClosed(int epoch, List<ContainerId> containers) {
        shard.announceClosed(epoch, containers);
    }
}
