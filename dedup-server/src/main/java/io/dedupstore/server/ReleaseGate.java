package io.dedupstore.server;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.state.Outbox;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Bounds what metadata shards have sent to the index and it has not applied: while that is more,
 * deleted objects keep their manifests, where their references take no more room than before.
 */
final class ReleaseGate implements BooleanSupplier {
    private final NodeCore core;
    private final long mostItems;

    /**
     * @param mostReferences an item of releases has up to {@link
     *     IndexMessage.Release#MAX_REFERENCES}
     */
    ReleaseGate(NodeCore core, int mostReferences) {
        this.core = core;
        this.mostItems = Math.max(1, mostReferences / IndexMessage.Release.MAX_REFERENCES);
    }

    /** Whether more may be sent. */
    @Override
    public boolean getAsBoolean() {
        return waitingItems() < mostItems;
    }

    /** Items on their way. */
    long waitingItems() {
        return core.metadataGroup().readLocal(this::waitingItems);
    }

    private long waitingItems(KvReader rows) {
        List<ShardId> index = core.control().layout().index();
        long items = 0;
        for (ShardId from : core.control().layout().metadata()) {
            Outbox outbox = new Outbox(from);
            for (ShardId to : index) {
                items += outbox.position(rows, new Destination.Shard(to)).undelivered();
            }
        }
        return items;
    }
}
