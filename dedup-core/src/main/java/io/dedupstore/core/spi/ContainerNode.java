package io.dedupstore.core.spi;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import java.util.List;

/** A storage node as the receiver of outbox streams. Blocking. */
public interface ContainerNode {
    /**
     * Applies items of the stream from {@code source} to a container; durable on return.
     *
     * @return the last applied sequence number of that stream; Long.MAX_VALUE when the container is
     *     gone for good and nothing for it matters any more
     */
    long deliver(ContainerId container, ShardId source, long firstSequence, List<byte[]> messages);

    /**
     * Refuses appends of epochs up to this one from now on, durably; seals containers they wrote.
     */
    void refuseEpoch(int epoch);

    /** Containers that have slots of epochs up to this one which nobody has adopted or freed. */
    List<ContainerId> containersWithOrphans(int epoch);
}
