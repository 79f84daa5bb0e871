package io.dedupstore.server;

import io.dedupstore.core.model.IndexMessage;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.function.LongSupplier;

/**
 * Bounds what metadata shards have sent to the index and it has not applied: while that is more,
 * deleted objects keep their manifests, where their references take no more room than before. What
 * requests send there themselves cannot be held back; when it piles up behind, deliveries must not
 * rest so long, which is told as pressure.
 */
final class ReleaseGate implements BooleanSupplier {
    /** Items in so many gates' worth: full pressure. */
    private static final int FULL_PRESSURE = 10;

    private final LongSupplier waitingItems;
    private final long mostItems;
    private final DoubleConsumer pressure;

    /**
     * @param waitingItems on their way from metadata to the index
     * @param mostReferences an item of releases has up to {@link
     *     IndexMessage.Release#MAX_REFERENCES}
     * @param pressure told from 0 to 1 at each question
     */
    ReleaseGate(LongSupplier waitingItems, int mostReferences, DoubleConsumer pressure) {
        this.waitingItems = waitingItems;
        this.mostItems = Math.max(1, mostReferences / IndexMessage.Release.MAX_REFERENCES);
        this.pressure = pressure;
    }

    /** Whether more may be sent. */
    @Override
    public boolean getAsBoolean() {
        long items = waitingItems.getAsLong();
        double over = (double) (items - mostItems) / (FULL_PRESSURE * mostItems);
        pressure.accept(Math.clamp(over, 0, 1));
        return items < mostItems;
    }
}
