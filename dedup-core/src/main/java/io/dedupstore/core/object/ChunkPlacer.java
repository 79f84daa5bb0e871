package io.dedupstore.core.object;

import io.dedupstore.core.checksum.ChunkCrcs;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.ChunkIndex;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ClaimException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds a place for each chunk of a window: looks up which are probably known, appends the others,
 * claims all of them. The gateway's half of steps 1 to 3 of the reference protocol, kept in one
 * place because each rule guards data:
 *
 * <ul>
 *   <li>What was never claimed may be the holder's own: so it is where a shard takes no claims.
 *   <li>A chunk is claimed only after its bytes are durable, else another writer could reference
 *       bytes that a crash takes away.
 *   <li>An address is offered, or used as unindexed, only by the V that appended it.
 *   <li>If a claim that offered an address stays without answer, that address is never used as
 *       unindexed: the shard may have made it an entry, to be freed without asking us. The chunk is
 *       appended again instead, and the possible reference is named as not retained.
 *   <li>Every shard that a claim was sent to is named at commit, answered or not.
 * </ul>
 *
 * One request's own; blocking.
 */
final class ChunkPlacer {
    private static final int CLAIM_ATTEMPTS = 3;
    private static final int MAX_CLAIM_ITEMS = 512;

    private final ChunkIndex index;
    private final ChunkStore store;
    private final WorkerPool hashPool;
    private final WriteTarget target;
    private final ShardId coordinator;
    private final ChunkEncoder encoder;

    /**
     * @param packed room for compressed or encrypted chunks, as large as the window; null when they
     *     are stored as they are
     */
    ChunkPlacer(
            ChunkIndex index,
            ChunkStore store,
            WorkerPool hashPool,
            WriteTarget target,
            ShardId coordinator,
            @Nullable ByteBuffer packed) {
        this.index = index;
        this.store = store;
        this.hashPool = hashPool;
        this.target = target;
        this.coordinator = coordinator;
        this.encoder = new ChunkEncoder(target.compression(), packed);
    }

    /** Adds an entry for each chunk to the holder, in order. */
    void place(List<Chunk> chunks, HolderBuilder holder) {
        Map<Fingerprint, Chunk> unplaced = new LinkedHashMap<>();
        for (Chunk chunk : chunks) {
            Fingerprint fingerprint = chunk.fingerprint();
            if (fingerprint != null && holder.placed(fingerprint) == null) {
                unplaced.putIfAbsent(fingerprint, chunk);
            }
        }
        placeAll(unplaced, holder);
        for (Chunk chunk : chunks) {
            holder.append(entryOf(chunk, holder));
        }
    }

    private static ManifestEntry entryOf(Chunk chunk, HolderBuilder holder) {
        Fingerprint fingerprint = chunk.fingerprint();
        ManifestEntry entry = fingerprint == null ? null : holder.placed(fingerprint);
        return entry != null ? entry : ManifestEntry.zero(chunk.length(), chunk.sums());
    }

    private void placeAll(Map<Fingerprint, Chunk> unplaced, HolderBuilder holder) {
        if (unplaced.isEmpty()) {
            return;
        }
        List<Fingerprint> asked = placeWithoutIndex(unplaced, holder);
        List<Optional<ChunkAddress>> known = index.lookup(asked);
        Set<Fingerprint> absent = new LinkedHashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            if (known.get(i).isEmpty()) {
                absent.add(asked.get(i));
            }
        }
        Map<Fingerprint, ChunkAddress> own = append(absent, unplaced, holder);
        Set<Fingerprint> missed = claim(asked, own, unplaced, holder);
        if (!missed.isEmpty()) {
            // The hint was stale: the entry went between lookup and claim.
            Map<Fingerprint, ChunkAddress> late = append(missed, unplaced, holder);
            claim(List.copyOf(missed), late, unplaced, holder);
        }
    }

    /**
     * Chunks of shards that take no claims become the holder's own, without asking.
     *
     * @return the others
     */
    private List<Fingerprint> placeWithoutIndex(
            Map<Fingerprint, Chunk> unplaced, HolderBuilder holder) {
        Map<ShardId, Boolean> takes = new HashMap<>();
        Set<Fingerprint> without = new LinkedHashSet<>();
        List<Fingerprint> others = new ArrayList<>();
        for (Fingerprint fingerprint : unplaced.keySet()) {
            if (takes.computeIfAbsent(index.shardOf(fingerprint), index::takesClaims)) {
                others.add(fingerprint);
            } else {
                without.add(fingerprint);
            }
        }
        appendUnindexed(without, unplaced, holder);
        return others;
    }

    private Map<Fingerprint, ChunkAddress> append(
            Set<Fingerprint> wanted, Map<Fingerprint, Chunk> chunks, HolderBuilder holder) {
        Map<Fingerprint, ChunkAddress> own = new LinkedHashMap<>();
        List<Chunk> left =
                wanted.stream().map(fingerprint -> chunkOf(fingerprint, chunks)).toList();
        while (!left.isEmpty()) {
            List<Chunk> next = left;
            List<ChunkStore.NewChunk> news =
                    hashPool.call(() -> encoder.encode(next, holder.cipher()));
            List<ChunkAddress> addresses = store.append(holder.v(), target.domain(), news);
            for (int i = 0; i < news.size(); i++) {
                own.put(news.get(i).fingerprint(), addresses.get(i));
            }
            left = left.subList(news.size(), left.size());
        }
        return own;
    }

    /** Claims all; returns those the index did not know and that were not offered. */
    private Set<Fingerprint> claim(
            List<Fingerprint> asked,
            Map<Fingerprint, ChunkAddress> own,
            Map<Fingerprint, Chunk> chunks,
            HolderBuilder holder) {
        Map<ShardId, List<ClaimItem>> byShard = new TreeMap<>();
        for (Fingerprint fingerprint : asked) {
            byShard.computeIfAbsent(index.shardOf(fingerprint), s -> new ArrayList<>())
                    .add(
                            new ClaimItem(
                                    fingerprint,
                                    own.get(fingerprint),
                                    chunkOf(fingerprint, chunks).length()));
        }
        Set<Fingerprint> missed = new LinkedHashSet<>();
        byShard.forEach(
                (shard, items) -> {
                    for (int from = 0; from < items.size(); from += MAX_CLAIM_ITEMS) {
                        List<ClaimItem> message =
                                items.subList(from, Math.min(from + MAX_CLAIM_ITEMS, items.size()));
                        missed.addAll(claim(shard, message, chunks, holder));
                    }
                });
        return missed;
    }

    private Set<Fingerprint> claim(
            ShardId shard,
            List<ClaimItem> items,
            Map<Fingerprint, Chunk> chunks,
            HolderBuilder holder) {
        holder.claiming(shard);
        List<ClaimAnswer> answers = answers(shard, items, holder);
        if (answers == null) {
            placeUnindexed(shard, items, chunks, holder);
            return Set.of();
        }
        Set<Fingerprint> missed = new LinkedHashSet<>();
        Set<Fingerprint> refused = new LinkedHashSet<>();
        for (int i = 0; i < items.size(); i++) {
            ClaimItem item = items.get(i);
            Chunk chunk = chunkOf(item.fingerprint(), chunks);
            switch (answers.get(i)) {
                case ClaimAnswer.Own(ChunkAddress address) -> {
                    holder.countNew(chunk.length());
                    placeIndexed(shard, chunk, address, holder);
                }
                case ClaimAnswer.Use(ChunkAddress address) ->
                        placeIndexed(shard, chunk, address, holder);
                case ClaimAnswer.Unindexed() -> {
                    ChunkAddress offered = item.offered();
                    if (offered == null) {
                        refused.add(item.fingerprint());
                    } else {
                        holder.countNew(chunk.length());
                        placeUnindexed(chunk, offered, holder);
                    }
                }
                case ClaimAnswer.Miss() -> missed.add(item.fingerprint());
            }
        }
        appendUnindexed(refused, chunks, holder);
        return missed;
    }

    /** Null when the shard gave no answer, after repeating the very same claim. */
    private @Nullable List<ClaimAnswer> answers(
            ShardId shard, List<ClaimItem> items, HolderBuilder holder) {
        for (int attempt = 1; attempt <= CLAIM_ATTEMPTS; attempt++) {
            try {
                return index.claim(shard, holder.v(), coordinator, items);
            } catch (ClaimException e) {
                if (e.code() == ClaimException.Code.REFUSED) {
                    throw new ObjectStoreException(
                            ObjectStoreException.Code.STALE, "this session has ended", e);
                }
            }
        }
        return null;
    }

    /**
     * The shard is out of reach: the chunks become the holder's own, at addresses never offered.
     */
    private void placeUnindexed(
            ShardId shard,
            List<ClaimItem> items,
            Map<Fingerprint, Chunk> chunks,
            HolderBuilder holder) {
        Set<Fingerprint> all = new LinkedHashSet<>();
        for (ClaimItem item : items) {
            holder.drop(shard, item.fingerprint());
            all.add(item.fingerprint());
        }
        appendUnindexed(all, chunks, holder);
    }

    private void appendUnindexed(
            Set<Fingerprint> fingerprints, Map<Fingerprint, Chunk> chunks, HolderBuilder holder) {
        append(fingerprints, chunks, holder)
                .forEach(
                        (fingerprint, address) -> {
                            Chunk chunk = chunkOf(fingerprint, chunks);
                            holder.countNew(chunk.length());
                            placeUnindexed(chunk, address, holder);
                        });
    }

    private void placeIndexed(
            ShardId shard, Chunk chunk, ChunkAddress address, HolderBuilder holder) {
        holder.place(shard, named(chunk), entry(ManifestEntry.Kind.INDEXED, chunk, address));
    }

    private void placeUnindexed(Chunk chunk, ChunkAddress address, HolderBuilder holder) {
        holder.place(named(chunk), entry(ManifestEntry.Kind.UNINDEXED, chunk, address));
    }

    private ManifestEntry entry(ManifestEntry.Kind kind, Chunk chunk, ChunkAddress address) {
        ChunkSums sums = target.sealing().isCustomers() ? ChunkCrcs.EMPTY : chunk.sums();
        return new ManifestEntry(kind, named(chunk), address, chunk.length(), sums);
    }

    private static Fingerprint named(Chunk chunk) {
        Fingerprint fingerprint = chunk.fingerprint();
        if (fingerprint == null) {
            throw new IllegalStateException("a zero chunk is never placed");
        }
        return fingerprint;
    }

    private static Chunk chunkOf(Fingerprint fingerprint, Map<Fingerprint, Chunk> chunks) {
        Chunk chunk = chunks.get(fingerprint);
        if (chunk == null) {
            throw new IllegalStateException("not of this window: " + fingerprint);
        }
        return chunk;
    }
}
