package io.dedupstore.core.spi;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import java.util.BitSet;
import java.util.List;

/**
 * What became of the slots of a storage node, as of the moment this was made. Blocking; one thread.
 * It pins old data while it is open.
 */
public interface SlotCut extends AutoCloseable {
    /** Containers that were there at that moment, ascending. */
    List<ContainerId> containers();

    /** Number of the last item of a stream that had been applied; 0 for none. */
    long applied(ContainerId container, ShardId source);

    /**
     * Slots of one container, by number.
     *
     * @param adopted those with an owner
     * @param freed those that will never be referenced again
     * @param recorded those whose record is in the file now
     * @param expired those that nobody adopted or freed though their epoch is closed
     */
    record Slots(BitSet adopted, BitSet freed, BitSet recorded, BitSet expired) {
        public int size() {
            return Math.max(
                    Math.max(adopted.length(), freed.length()),
                    Math.max(recorded.length(), expired.length()));
        }
    }

    /**
     * @param closedEpoch as it was before this was made
     */
    Slots slots(ContainerId container, int closedEpoch);

    @Override
    void close();
}
