package io.dedupstore.core.maintenance;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.control.EpochClosing;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.MetadataShard;
import io.dedupstore.core.spi.OutboxShard;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Closes epochs whose sessions have ended, so that what they left undone is settled. The order is
 * what makes it safe, and each step begins only when the one before is done on all shards:
 *
 * <ol>
 *   <li>Metadata shards refuse commits of the epoch: from here on no attempt of it can become
 *       visible.
 *   <li>Index shards refuse its claims and storage its appends, and every open intent gets its
 *       verdict through the outboxes.
 *   <li>Fates, tombstones and early manifest rows are dropped: no message can ask for them any
 *       more.
 *   <li>Every shard says Closed on its stream to each container that has slots nobody owns; what is
 *       still only written when all have said it is garbage.
 * </ol>
 *
 * <p>Every action is idempotent and progress is recorded in the control group, so this may stop at
 * any point and be taken up by another. One thread at a time.
 */
public final class EpochCloser {
    private final ControlService control;
    private final Map<ShardId, ? extends IndexShard> indexShards;
    private final Map<ShardId, ? extends MetadataShard> metadataShards;
    private final List<? extends ContainerNode> nodes;
    private final Resolver resolver;
    private int refusedEpoch;
    private int announcedEpoch;
    private final Set<ContainerId> announced = new HashSet<>();

    public EpochCloser(
            ControlService control,
            List<? extends IndexShard> indexShards,
            List<? extends MetadataShard> metadataShards,
            List<? extends ContainerNode> nodes) {
        this.control = control;
        this.indexShards =
                indexShards.stream().collect(Collectors.toMap(OutboxShard::id, shard -> shard));
        this.metadataShards =
                metadataShards.stream().collect(Collectors.toMap(OutboxShard::id, shard -> shard));
        this.nodes = List.copyOf(nodes);
        this.resolver = new Resolver(this.metadataShards);
    }

    /**
     * Goes as far as it can without waiting.
     *
     * @return whether it got any further; false means: nothing to close, or waiting for outboxes
     */
    public boolean step() {
        Optional<EpochClosing> closing = control.epochClosing();
        if (closing.isEmpty()) {
            closing = control.startEpochClosing();
        }
        return closing.isPresent() && advance(closing.get());
    }

    private boolean advance(EpochClosing closing) {
        int epoch = closing.epoch();
        return switch (closing.step()) {
            case REFUSE_COMMITS -> {
                metadataOf(closing).forEach(shard -> shard.refuseEpoch(epoch));
                yield done(closing);
            }
            case SETTLE_INTENTS -> settle(closing);
            case FORGET_FATES -> {
                shardsOf(closing).forEach(shard -> shard.forgetEpoch(epoch));
                resolver.forget();
                yield done(closing);
            }
            case RECLAIM_ORPHANS -> reclaim(closing);
        };
    }

    /** Whether nothing is being closed and nothing could be. */
    public boolean isDone() {
        return !control.hasEpochsToClose();
    }

    private boolean settle(EpochClosing closing) {
        int epoch = closing.epoch();
        refuseOnce(closing);
        boolean asked = false;
        for (IndexShard shard : indexOf(closing)) {
            asked |= resolver.step(shard, epoch);
        }
        boolean settled = indexOf(closing).stream().allMatch(shard -> shard.settled(epoch));
        return settled ? done(closing) : asked;
    }

    /** Once for each epoch by this object, however often the settling is looked at. */
    private void refuseOnce(EpochClosing closing) {
        int epoch = closing.epoch();
        if (refusedEpoch < epoch) {
            indexOf(closing).forEach(shard -> shard.refuseEpoch(epoch));
            nodes.forEach(node -> node.refuseEpoch(epoch));
            refusedEpoch = epoch;
        }
    }

    private boolean reclaim(EpochClosing closing) {
        int epoch = closing.epoch();
        if (!shardsOf(closing).stream().allMatch(shard -> shard.settled(epoch))) {
            // An ADOPT that is not queued yet must not come after Closed.
            return false;
        }
        TreeSet<ContainerId> orphaned = new TreeSet<>();
        nodes.forEach(node -> orphaned.addAll(node.containersWithOrphans(epoch)));
        if (orphaned.isEmpty()) {
            return done(closing);
        }
        if (announcedEpoch != epoch) {
            announcedEpoch = epoch;
            announced.clear();
        }
        orphaned.removeAll(announced);
        if (orphaned.isEmpty()) {
            return false;
        }
        List<ContainerId> containers = List.copyOf(orphaned);
        shardsOf(closing).forEach(shard -> shard.announceClosed(epoch, containers));
        announced.addAll(containers);
        return true;
    }

    private boolean done(EpochClosing closing) {
        control.recordEpochStep(closing.epoch(), closing.step());
        return true;
    }

    private List<OutboxShard> shardsOf(EpochClosing closing) {
        List<OutboxShard> all = new ArrayList<>(metadataOf(closing));
        all.addAll(indexOf(closing));
        return all;
    }

    private List<MetadataShard> metadataOf(EpochClosing closing) {
        return of(closing, ShardId.Kind.METADATA, metadataShards);
    }

    private List<IndexShard> indexOf(EpochClosing closing) {
        return of(closing, ShardId.Kind.INDEX, indexShards);
    }

    private static <S> List<S> of(
            EpochClosing closing, ShardId.Kind kind, Map<ShardId, ? extends S> known) {
        List<S> shards = new ArrayList<>();
        for (ShardId id : closing.shards()) {
            if (id.kind() == kind) {
                S shard = known.get(id);
                if (shard == null) {
                    throw new IllegalStateException("no shard " + id);
                }
                shards.add(shard);
            }
        }
        return shards;
    }
}
