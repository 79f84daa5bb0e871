package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkIndex;
import io.dedupstore.core.spi.ClaimException;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All index shards as a gateway sees them. Shard n of N holds the n-th of N equal ranges of
 * fingerprints; N is fixed when the cluster is made.
 */
public final class IndexClient implements ChunkIndex {
    private static final Logger LOG = LoggerFactory.getLogger(IndexClient.class);

    private final List<IndexShardClient> shards;
    private final InstantSource clock;
    private final AvoidedShards avoided;
    private final LongAdder asked = new LongAdder();
    private final LongAdder known = new LongAdder();

    /**
     * @param groups for each shard, from 0 on, the group that hosts it; the same one several times
     *     when it hosts several
     */
    public IndexClient(List<? extends ReplicatedGroup> groups, InstantSource clock) {
        this(groups, clock, Duration.ZERO);
    }

    /**
     * @param avoidFor how long nothing is claimed of a shard that gave no answers
     */
    public IndexClient(
            List<? extends ReplicatedGroup> groups, InstantSource clock, Duration avoidFor) {
        if (groups.isEmpty() || groups.size() > ShardId.MAX_SHARDS) {
            throw new IllegalArgumentException("1 to 4096 index shards: " + groups.size());
        }
        List<IndexShardClient> clients = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            clients.add(new IndexShardClient(ShardId.index(i), groups.get(i)));
        }
        this.shards = List.copyOf(clients);
        this.clock = clock;
        this.avoided = new AvoidedShards(groups.size(), avoidFor, clock);
    }

    /**
     * Fingerprints looked up through this client.
     *
     * @param existing of them, those that were known
     */
    public record Lookups(long all, long existing) {}

    public Lookups lookups() {
        long existing = known.sum();
        // Read last, so that it is never less.
        return new Lookups(asked.sum(), existing);
    }

    /** One client for each shard, by number. */
    public List<IndexShardClient> shards() {
        return shards;
    }

    @Override
    public ShardId shardOf(Fingerprint fingerprint) {
        return ShardId.index(
                (int) Math.unsignedMultiplyHigh(fingerprint.w0(), (long) shards.size()));
    }

    @Override
    public List<Optional<ChunkAddress>> lookup(List<Fingerprint> fingerprints) {
        List<Optional<ChunkAddress>> found =
                new ArrayList<>(Collections.nCopies(fingerprints.size(), Optional.empty()));
        byShard(fingerprints)
                .forEach((shard, places) -> lookup(shard, fingerprints, places, found));
        asked.add(found.size());
        known.add(found.stream().filter(Optional::isPresent).count());
        return found;
    }

    private Map<ShardId, List<Integer>> byShard(List<Fingerprint> fingerprints) {
        Map<ShardId, List<Integer>> places = new TreeMap<>();
        for (int i = 0; i < fingerprints.size(); i++) {
            places.computeIfAbsent(shardOf(fingerprints.get(i)), s -> new ArrayList<>()).add(i);
        }
        return places;
    }

    private void lookup(
            ShardId shard,
            List<Fingerprint> fingerprints,
            List<Integer> places,
            List<Optional<ChunkAddress>> found) {
        List<Fingerprint> asked = places.stream().map(fingerprints::get).toList();
        try {
            List<Optional<ChunkAddress>> answers =
                    shards.get(shard.number())
                            .local(rows -> IndexQueries.lookup(rows, shard, asked));
            for (int i = 0; i < answers.size(); i++) {
                found.set(places.get(i), answers.get(i));
            }
        } catch (ReplicationException | KvException e) {
            LOG.warn("{} answers no lookups, its chunks count as new: {}", shard, e.getMessage());
        }
    }

    @Override
    public boolean takesClaims(ShardId shard) {
        return !avoided.contains(shard) && !shards.get(shard.number()).isRebuilding();
    }

    @Override
    public List<ClaimAnswer> claim(ShardId shard, V v, ShardId coordinator, List<ClaimItem> items) {
        for (ClaimItem item : items) {
            if (!shardOf(item.fingerprint()).equals(shard)) {
                throw new IllegalArgumentException(
                        "fingerprint " + item.fingerprint() + " is not of " + shard);
            }
        }
        long now = Math.clamp(clock.instant().getEpochSecond(), 0, Entry.MAX_TIME);
        IndexCommand.Claim claim = new IndexCommand.Claim(shard, v, coordinator, now, items);
        return answers(claim, submit(claim));
    }

    private IndexReply submit(IndexCommand.Claim claim) {
        try {
            IndexReply reply = shards.get(claim.shard().number()).submit(claim);
            avoided.answered(claim.shard());
            return reply;
        } catch (ReplicationException e) {
            avoided.failed(claim.shard());
            ClaimException unknown =
                    new ClaimException(
                            ClaimException.Code.UNKNOWN,
                            claim.shard() + " did not answer the claim of " + claim.v());
            unknown.initCause(e);
            throw unknown;
        }
    }

    private static List<ClaimAnswer> answers(IndexCommand.Claim claim, IndexReply reply) {
        if (reply instanceof IndexReply.Claimed(List<ClaimAnswer> answers)
                && answers.size() == claim.items().size()) {
            return answers;
        }
        if (reply instanceof IndexReply.Refused(IndexReply.Refused.Code code, String reason)) {
            switch (code) {
                case OVER ->
                        throw new ClaimException(
                                ClaimException.Code.REFUSED, claim.shard() + ": " + reason);
                case NOT_HOSTED, TOO_EARLY, REBUILDING ->
                        throw new ClaimException(
                                ClaimException.Code.UNKNOWN, claim.shard() + ": " + reason);
                case MALFORMED -> throw new IllegalArgumentException(reason);
            }
        }
        throw new IllegalStateException(claim.shard() + " answered a claim with " + reply);
    }
}
