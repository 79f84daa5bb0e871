package io.dedupstore.core.maintenance;

import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.index.Known;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.metadata.Swap;
import io.dedupstore.core.metadata.UnindexedChunk;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.ClaimException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deduplicates later what had to be stored without the index: because a shard did not answer, was
 * being rebuilt or had no room.
 *
 * <p>Each batch of a holder's chunks is an attempt of its own. It claims them without an address:
 * what the index knows is taken from there. What it does not know is copied to a new slot first and
 * claimed with that one, never with the address that the holder has: that address is live, and an
 * entry on it would have two owners with different ideas of when it is free. Then one metadata
 * entry has the holder refer to the indexed chunks, confirms the claims and frees the old slots; if
 * the holder has changed it does nothing of it, and the claims are given up.
 *
 * <p>A chunk that is found suspect in the index is whole here, so the slot there is healed with it
 * first.
 *
 * <p>One thread at a time; may stop anywhere.
 */
public final class Rededuper {
    private static final Logger LOG = LoggerFactory.getLogger(Rededuper.class);

    /** Chunks that are looked at together: what is copied of them is in memory. */
    private static final int BATCH = 64;

    private final IndexClient index;
    private final ChunkStore store;
    private final Healer healer;
    private final List<ReplicatedMetadataShard> shards;
    private final Supplier<V> attempts;
    private final AtomicLong swapped = new AtomicLong();
    private final AtomicLong swappedBytes = new AtomicLong();
    private final AtomicLong copiedBytes = new AtomicLong();
    private int shard;
    private @Nullable V behind;
    private long swappedBefore;

    /** Makes a slot whole again whose bytes could not be read. */
    @FunctionalInterface
    public interface Healer {
        /**
         * @param suspect whose entry is marked
         * @param whole the same chunk elsewhere
         * @return whether the slot has been healed, and the mark is gone
         */
        boolean heal(ChunkReference suspect, ChunkStore.Wanted whole);
    }

    /**
     * @param attempts a new V at each call
     */
    public Rededuper(
            IndexClient index,
            ChunkStore store,
            Healer healer,
            List<ReplicatedMetadataShard> shards,
            Supplier<V> attempts) {
        this.index = index;
        this.store = store;
        this.healer = healer;
        this.shards = List.copyOf(shards);
        this.attempts = attempts;
    }

    /**
     * What has been done since the start.
     *
     * @param chunks that holders refer to through the index now
     * @param bytes their plain bytes
     * @param copiedBytes of them, those that the index did not have
     */
    public record Totals(long chunks, long bytes, long copiedBytes) {}

    public Totals totals() {
        return new Totals(swapped.get(), swappedBytes.get(), copiedBytes.get());
    }

    /**
     * Looks at the next holder that has something unindexed.
     *
     * @return false at the end of a round over all of them in which nothing could be done
     */
    public boolean step() {
        ReplicatedMetadataShard metadata = shards.get(shard);
        List<V> next = metadata.holdersWithUnindexed(behind, 1);
        if (next.isEmpty()) {
            behind = null;
            shard = (shard + 1) % shards.size();
            boolean done = shard == 0 && swapped.get() == swappedBefore;
            if (shard == 0) {
                swappedBefore = swapped.get();
            }
            return !done;
        }
        behind = next.getFirst();
        rededup(metadata, next.getFirst());
        return true;
    }

    private void rededup(ReplicatedMetadataShard metadata, V holder) {
        List<UnindexedChunk> batch = new ArrayList<>();
        TreeSet<Integer> rows = new TreeSet<>();
        for (UnindexedChunk chunk : worthwhile(metadata.unindexedOf(holder))) {
            // One entry takes them all or none: what it touches is bounded.
            TreeSet<Integer> more = new TreeSet<>(rows);
            more.addAll(chunk.rows());
            if (batch.size() == BATCH || more.size() > ReplicatedMetadataShard.MAX_SWAP_ROWS) {
                rededup(metadata, holder, batch);
                batch.clear();
                rows.clear();
            }
            if (chunk.rows().size() <= ReplicatedMetadataShard.MAX_SWAP_ROWS) {
                batch.add(chunk);
                rows.addAll(chunk.rows());
            }
        }
        if (!batch.isEmpty()) {
            rededup(metadata, holder, batch);
        }
    }

    /** Those that the index may answer with an address now. */
    private List<UnindexedChunk> worthwhile(List<UnindexedChunk> chunks) {
        List<UnindexedChunk> found = new ArrayList<>();
        byShard(chunks)
                .forEach(
                        (id, ofShard) -> {
                            IndexShardClient client = index.shards().get(id.number());
                            IndexStatistics statistics = client.statistics();
                            boolean room =
                                    statistics.entryLimit() < 0
                                            || statistics.entries() < statistics.entryLimit();
                            List<Known> known =
                                    client.find(
                                            ofShard.stream()
                                                    .map(UnindexedChunk::fingerprint)
                                                    .toList());
                            for (int i = 0; i < ofShard.size(); i++) {
                                if (isWorthwhile(ofShard.get(i), known.get(i), room)) {
                                    found.add(ofShard.get(i));
                                }
                            }
                        });
        return found;
    }

    private boolean isWorthwhile(UnindexedChunk chunk, Known known, boolean room) {
        return switch (known) {
            case Known.Absent() -> room;
            case Known.Unreadable() -> false;
            case Known.Present(ChunkAddress address, int length, boolean suspect) ->
                    !suspect
                            || healer.heal(
                                    new ChunkReference(chunk.fingerprint(), address),
                                    wanted(chunk));
        };
    }

    private static ChunkStore.Wanted wanted(UnindexedChunk chunk) {
        return new ChunkStore.Wanted(chunk.address(), chunk.fingerprint(), chunk.length());
    }

    private SortedMap<ShardId, List<UnindexedChunk>> byShard(List<UnindexedChunk> chunks) {
        SortedMap<ShardId, List<UnindexedChunk>> byShard = new TreeMap<>();
        for (UnindexedChunk chunk : chunks) {
            byShard.computeIfAbsent(index.shardOf(chunk.fingerprint()), s -> new ArrayList<>())
                    .add(chunk);
        }
        return byShard;
    }

    private void rededup(ReplicatedMetadataShard metadata, V holder, List<UnindexedChunk> chunks) {
        Attempt attempt = new Attempt(metadata, holder);
        try {
            attempt.run(chunks);
        } catch (ChunkStoreException | ClaimException e) {
            LOG.debug("chunks of {} stay unindexed for now: {}", holder, e.getMessage());
            attempt.abandon();
        } catch (MetadataException e) {
            if (e.code() != MetadataException.Code.SOURCE_CHANGED) {
                // Whether it took effect is not known; giving up what did is harmless.
                attempt.abandon();
                throw e;
            }
            LOG.debug("{} changed meanwhile: {}", holder, e.getMessage());
        } catch (RuntimeException e) {
            attempt.abandon();
            throw e;
        }
    }

    /** One V. */
    private final class Attempt {
        private final ReplicatedMetadataShard metadata;
        private final V holder;
        private final V v = attempts.get();
        private final SortedSet<ShardId> named = new TreeSet<>();
        private final Map<Fingerprint, ChunkAddress> answered = new HashMap<>();
        private long copied;

        Attempt(ReplicatedMetadataShard metadata, V holder) {
            this.metadata = metadata;
            this.holder = holder;
        }

        void run(List<UnindexedChunk> chunks) {
            List<UnindexedChunk> missed = claim(chunks, Map.of());
            if (!missed.isEmpty()) {
                List<ChunkAddress> copies =
                        store.copy(v, missed.stream().map(Rededuper::wanted).toList());
                Map<Fingerprint, ChunkAddress> own = new LinkedHashMap<>();
                for (int i = 0; i < copies.size(); i++) {
                    own.put(missed.get(i).fingerprint(), copies.get(i));
                    copied += missed.get(i).length();
                }
                claim(missed, own);
            }
            commit(chunks);
        }

        /** Notes what is answered with an address; returns what the index does not know. */
        private List<UnindexedChunk> claim(
                List<UnindexedChunk> chunks, Map<Fingerprint, ChunkAddress> own) {
            List<UnindexedChunk> missed = new ArrayList<>();
            byShard(chunks)
                    .forEach(
                            (id, ofShard) -> {
                                named.add(id);
                                List<ClaimAnswer> answers =
                                        index.claim(id, v, metadata.id(), items(ofShard, own));
                                for (int i = 0; i < answers.size(); i++) {
                                    UnindexedChunk chunk = ofShard.get(i);
                                    switch (answers.get(i)) {
                                        case ClaimAnswer.Own(ChunkAddress address) ->
                                                answered.put(chunk.fingerprint(), address);
                                        case ClaimAnswer.Use(ChunkAddress address) ->
                                                answered.put(chunk.fingerprint(), address);
                                        case ClaimAnswer.Unindexed() -> {}
                                        case ClaimAnswer.Miss() -> missed.add(chunk);
                                    }
                                }
                            });
            return missed;
        }

        private List<ClaimItem> items(
                List<UnindexedChunk> chunks, Map<Fingerprint, ChunkAddress> own) {
            return chunks.stream()
                    .map(
                            chunk ->
                                    new ClaimItem(
                                            chunk.fingerprint(),
                                            own.get(chunk.fingerprint()),
                                            chunk.length()))
                    .toList();
        }

        private void commit(List<UnindexedChunk> chunks) {
            List<Swap> swaps = new ArrayList<>();
            TreeSet<Integer> rows = new TreeSet<>();
            long bytes = 0;
            for (UnindexedChunk chunk : chunks) {
                Optional<ChunkAddress> address =
                        Optional.ofNullable(answered.get(chunk.fingerprint()));
                if (address.isPresent()) {
                    swaps.add(new Swap(chunk.fingerprint(), chunk.address(), address.get()));
                    rows.addAll(chunk.rows());
                    bytes += chunk.length();
                }
            }
            if (swaps.isEmpty()) {
                abandon();
                return;
            }
            metadata.swap(v, holder, swaps, rows, retained());
            swapped.addAndGet(swaps.size());
            swappedBytes.addAndGet(bytes);
            copiedBytes.addAndGet(copied);
        }

        /** Every reference that an answer gave is kept. */
        private Map<ShardId, Retained> retained() {
            Map<ShardId, ReferenceSum> sums = new HashMap<>();
            answered.forEach(
                    (fingerprint, address) ->
                            sums.merge(
                                    index.shardOf(fingerprint),
                                    ReferenceSum.of(fingerprint, address),
                                    ReferenceSum::plus));
            Map<ShardId, Retained> retained = new HashMap<>();
            named.forEach(
                    id ->
                            retained.put(
                                    id,
                                    new Retained.All(sums.getOrDefault(id, ReferenceSum.ZERO))));
            return retained;
        }

        /** Best effort: what is not given up expires with the epoch. */
        void abandon() {
            try {
                metadata.abandon(v, named);
            } catch (MetadataException e) {
                LOG.debug("{} could not be given up: {}", v, e.getMessage());
            }
        }
    }
}
