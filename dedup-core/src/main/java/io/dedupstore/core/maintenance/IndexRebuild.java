package io.dedupstore.core.maintenance;

import io.dedupstore.core.index.IndexCommand;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.RebuiltEntry;
import io.dedupstore.core.io.Disk;
import io.dedupstore.core.maintenance.ReferenceSpill.Counted;
import io.dedupstore.core.metadata.MetadataCut;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.spi.SlotCut;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Makes index shards anew from what manifests say, when what they held is lost or cannot be
 * trusted, on a store that goes on working.
 *
 * <p><b>Order.</b> The shards take no claims from the moment they are wiped, so that writes go on
 * without them. Then attempts that may still hold answers of before are shut out: their sessions
 * end, and metadata refuses their epochs. From here on no manifest can get a further reference into
 * these shards, they only become fewer; each that goes is a RELEASE in a stream, which waits. Now
 * views are taken, slots first, then metadata: what manifests refer to in the second, counted, is
 * what the shards hold at the position of the streams in it.
 *
 * <p><b>What else was lost</b> with a shard. The numbers of its streams to containers: they go on
 * behind what each container has applied, or items would pass for repeated ones. Its ADOPTs that
 * were under way: every slot that is referred to and not adopted gets another. Its FREEs: slots
 * that are adopted and that no manifest names are freed; that is only known when all shards are
 * rebuilt together, otherwise verification will name them.
 *
 * <p>A fingerprint may be referred to at several addresses, where its entry was pruned and made
 * anew: then at most one of them has more than one reference, that of the last entry. It becomes
 * the entry, the others count as pruned.
 *
 * <p>One thread; may stop anywhere, and then begins anew.
 */
public final class IndexRebuild {
    private final Map<ShardId, IndexShardClient> shards;
    private final int allShards;
    private final Disk disk;
    private final Path scratch;
    private final LongSupplier seconds;
    private final Watch watch;
    private long holders;
    private long references;
    private long entries;
    private long forgotten;
    private long adopted;
    private long freed;
    private long lost;

    /** Told how far it is. */
    public interface Watch {
        void phase(String name, String unit, long total);

        /**
         * @return whether to go on
         */
        boolean at(long done);
    }

    /**
     * What was made.
     *
     * @param references of holders, each once
     * @param forgotten of them, at other addresses than the entry's, as if pruned
     * @param adopted slots that did not know of their owner
     * @param freed slots that had none
     * @param lost references to slots that are freed: their chunks cannot be read
     */
    public record Result(
            long holders,
            long references,
            long entries,
            long forgotten,
            long adopted,
            long freed,
            long lost) {}

    /**
     * @param shards to be rebuilt
     * @param allShards of the cluster
     * @param scratch directory for what does not fit into memory
     * @param seconds since 1970
     */
    public IndexRebuild(
            List<IndexShardClient> shards,
            int allShards,
            Disk disk,
            Path scratch,
            LongSupplier seconds,
            Watch watch) {
        this.shards =
                shards.stream()
                        .collect(
                                Collectors.toMap(
                                        IndexShardClient::id, s -> s, (a, b) -> a, TreeMap::new));
        this.allShards = allShards;
        this.disk = disk;
        this.scratch = scratch;
        this.seconds = seconds;
        this.watch = watch;
    }

    /**
     * The shards are wiped, and no attempt can commit that claimed anything of them before.
     *
     * @param slots taken after that
     * @param metadata taken after {@code slots}; all metadata shards
     * @param closedEpoch of the control group, from before
     * @throws CancellationException the watch said so
     */
    public Result run(SlotCut slots, List<MetadataCut> metadata, int closedEpoch) {
        long expected = metadata.stream().mapToLong(MetadataCut::chunks).sum();
        Slots states = new Slots(slots, closedEpoch);
        resumeStreams(slots);
        try (ReferenceSpill spill = new ReferenceSpill(disk, scratch, expected)) {
            watch.phase("reading manifests", "chunks", expected);
            metadata.forEach(cut -> cut.forEachHolder(holder -> take(holder, spill, states)));
            watch.phase("making entries", "references", references);
            Batches batches = new Batches();
            long done = 0;
            for (int i = 0; i < spill.partitions(); i++) {
                done += fill(spill.sorted(i), states, batches, done);
            }
            if (shards.size() == allShards) {
                states.forEachLeaked(batches::free);
            }
            batches.sendAll();
        }
        shards.values().forEach(shard -> shard.finishRebuild(sources(shard.id(), metadata)));
        return new Result(holders, references, entries, forgotten, adopted, freed, lost);
    }

    private void at(long done) {
        if (!watch.at(done)) {
            throw new CancellationException("the rebuild was broken off");
        }
    }

    private static List<IndexCommand.Source> sources(ShardId shard, List<MetadataCut> metadata) {
        return metadata.stream()
                .map(
                        cut -> {
                            var position = cut.streams().get(new Destination.Shard(shard));
                            return new IndexCommand.Source(
                                    cut.shard(),
                                    position == null ? 0 : position.appended(),
                                    cut.sum(shard));
                        })
                .toList();
    }

    private void resumeStreams(SlotCut slots) {
        for (IndexShardClient shard : shards.values()) {
            List<StreamPosition> positions = new ArrayList<>();
            for (ContainerId container : slots.containers()) {
                long applied = slots.applied(container, shard.id());
                if (applied > 0) {
                    positions.add(
                            new StreamPosition(new Destination.Container(container), applied));
                }
                if (positions.size() == StreamPosition.MAX_STREAMS) {
                    shard.resumeStreams(positions);
                    positions.clear();
                }
            }
            shard.resumeStreams(positions);
        }
    }

    // ---- slots ----

    /** What is known of all slots: four bits each. */
    private static final class Slots {
        private final Map<ContainerId, SlotCut.Slots> containers = new HashMap<>();
        private final Map<ContainerId, BitSet> owned = new HashMap<>();

        Slots(SlotCut cut, int closedEpoch) {
            for (ContainerId id : cut.containers()) {
                containers.put(id, cut.slots(id, closedEpoch));
            }
        }

        void own(ChunkAddress address) {
            owned.computeIfAbsent(address.container(), c -> new BitSet()).set(address.slot());
        }

        boolean freed(ChunkAddress address) {
            SlotCut.Slots slots = containers.get(address.container());
            return slots == null || slots.freed().get(address.slot());
        }

        boolean adopted(ChunkAddress address) {
            SlotCut.Slots slots = containers.get(address.container());
            return slots != null && slots.adopted().get(address.slot());
        }

        boolean recorded(ChunkAddress address) {
            SlotCut.Slots slots = containers.get(address.container());
            return slots != null && slots.recorded().get(address.slot());
        }

        /** Those that were adopted and that nobody refers to. */
        void forEachLeaked(Consumer<ChunkAddress> visitor) {
            containers.forEach(
                    (id, slots) -> {
                        BitSet leaked = (BitSet) slots.adopted().clone();
                        leaked.andNot(slots.freed());
                        leaked.andNot(owned.getOrDefault(id, new BitSet()));
                        leaked.stream().forEach(slot -> visitor.accept(new ChunkAddress(id, slot)));
                    });
        }
    }

    // ---- references ----

    private boolean take(MetadataCut.Holder holder, ReferenceSpill spill, Slots states) {
        holders++;
        holder.unindexed().forEach(states::own);
        holder.indexed()
                .forEach(
                        (fingerprint, address) -> {
                            states.own(address);
                            if (shards.containsKey(shardOf(fingerprint))) {
                                spill.add(fingerprint, address, holder.lengths().get(fingerprint));
                                references++;
                            }
                        });
        at(references);
        return true;
    }

    private ShardId shardOf(Fingerprint fingerprint) {
        return ShardId.ofFingerprint(fingerprint, allShards);
    }

    /**
     * @return how many references these are
     */
    private long fill(List<Counted> sorted, Slots states, Batches batches, long before) {
        long done = 0;
        for (int first = 0; first < sorted.size(); ) {
            int next = first + 1;
            while (next < sorted.size()
                    && sorted.get(next).fingerprint().equals(sorted.get(first).fingerprint())) {
                next++;
            }
            group(sorted.subList(first, next), states, batches);
            for (Counted one : sorted.subList(first, next)) {
                done += one.references();
            }
            at(before + done);
            first = next;
        }
        return done;
    }

    private void group(List<Counted> addresses, Slots states, Batches batches) {
        Counted best = null;
        for (Counted one : addresses) {
            boolean dead = states.freed(one.address());
            if (!dead && (best == null || one.references() > best.references())) {
                best = one;
            }
            lost += dead ? one.references() : 0;
        }
        for (Counted one : addresses) {
            boolean dead = states.freed(one.address());
            boolean adopt = !dead && !states.adopted(one.address());
            adopted += adopt ? 1 : 0;
            RebuiltEntry entry =
                    new RebuiltEntry(
                            one.fingerprint(),
                            one.address(),
                            one.length(),
                            one.references(),
                            adopt,
                            !states.recorded(one.address()));
            if (one == best) {
                batches.entry(entry);
            } else if (dead || one.references() == 1) {
                batches.forget(entry);
            } else {
                throw new IllegalStateException(
                        "%s is referred to several times at %s and at %s, so none of the two can"
                                        .formatted(one.fingerprint(), one.address(), best)
                                + " be left to its owners: delete one of the objects first");
            }
        }
    }

    /** What goes to each shard with one command. */
    private final class Batches {
        private final Map<ShardId, Batch> batches = new TreeMap<>();

        private static final class Batch {
            private final List<RebuiltEntry> entries = new ArrayList<>();
            private final List<RebuiltEntry> forgotten = new ArrayList<>();
            private final List<ChunkAddress> freed = new ArrayList<>();

            int size() {
                return entries.size() + forgotten.size() + freed.size();
            }
        }

        private Batch batch(ShardId shard) {
            Batch batch = batches.computeIfAbsent(shard, s -> new Batch());
            if (batch.size() == IndexCommand.Rebuild.MAX_ITEMS) {
                send(shard, batch);
                batch = new Batch();
                batches.put(shard, batch);
            }
            return batch;
        }

        void entry(RebuiltEntry entry) {
            entries++;
            batch(shardOf(entry.fingerprint())).entries.add(entry);
        }

        void forget(RebuiltEntry entry) {
            forgotten += entry.references();
            batch(shardOf(entry.fingerprint())).forgotten.add(entry);
        }

        /** By whichever shard: a slot that nobody refers to is no shard's. */
        void free(ChunkAddress address) {
            freed++;
            batch(shards.keySet().iterator().next()).freed.add(address);
        }

        void sendAll() {
            batches.forEach(this::send);
        }

        private void send(ShardId shard, Batch batch) {
            shards.get(shard)
                    .rebuild(seconds.getAsLong(), batch.entries, batch.forgotten, batch.freed);
        }
    }
}
