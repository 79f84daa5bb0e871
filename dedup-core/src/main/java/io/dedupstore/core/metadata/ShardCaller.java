package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.util.function.Function;

/** Calls one shard's group; what goes wrong becomes a {@link MetadataException}. */
final class ShardCaller {
    private final ShardId shard;
    private final ReplicatedGroup group;

    ShardCaller(ShardId shard, ReplicatedGroup group) {
        this.shard = shard;
        this.group = group;
    }

    /**
     * @throws MetadataException refused, or UNKNOWN
     */
    Reply submit(MetadataCommand command) {
        return submit(CommandEncoder.encode(command));
    }

    Reply submit(byte[] command) {
        try {
            return Replies.expectOk(Replies.decode(group.submit(command)));
        } catch (ReplicationException e) {
            throw noAnswer(e);
        }
    }

    <T> T read(Function<KvReader, T> query) {
        try {
            return group.read(query);
        } catch (ReplicationException e) {
            throw noAnswer(e);
        }
    }

    <T> T readLocal(Function<KvReader, T> query) {
        try {
            return group.readLocal(query);
        } catch (ReplicationException e) {
            throw noAnswer(e);
        }
    }

    private MetadataException noAnswer(ReplicationException e) {
        return new MetadataException(
                MetadataException.Code.UNKNOWN, shard + " gave no answer: " + e.getMessage(), e);
    }
}
