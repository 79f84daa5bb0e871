package io.dedupstore.core.spi;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import java.util.ArrayList;
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

    /** The most containers of one {@link #deliverTogether}. */
    int MAX_TOGETHER = 64;

    /** A run of items for one container. */
    record Delivery(ContainerId container, long firstSequence, List<byte[]> messages) {
        public Delivery {
            messages = List.copyOf(messages);
        }
    }

    /** What came of a {@link Delivery}. */
    sealed interface Outcome {
        /**
         * @param lastApplied as {@link #deliver} returns it
         */
        record Applied(long lastApplied) implements Outcome {}

        /**
         * Whether the items were applied is unknown; those of other containers are not affected.
         */
        record Failed(RuntimeException cause) implements Outcome {}
    }

    /**
     * Applies runs of the streams from {@code source} to several containers; durable on return, at
     * the cost of about one sync.
     *
     * @param deliveries at most {@link #MAX_TOGETHER}, each to another container
     * @return an outcome for each, in the same order
     */
    default List<Outcome> deliverTogether(ShardId source, List<Delivery> deliveries) {
        List<Outcome> outcomes = new ArrayList<>();
        for (Delivery one : deliveries) {
            try {
                outcomes.add(
                        new Outcome.Applied(
                                deliver(
                                        one.container(),
                                        source,
                                        one.firstSequence(),
                                        one.messages())));
            } catch (RuntimeException e) {
                outcomes.add(new Outcome.Failed(e));
            }
        }
        return outcomes;
    }

    /**
     * Refuses appends of epochs up to this one from now on, durably; seals containers they wrote.
     */
    void refuseEpoch(int epoch);

    /** Containers that have slots of epochs up to this one which nobody has adopted or freed. */
    List<ContainerId> containersWithOrphans(int epoch);
}
