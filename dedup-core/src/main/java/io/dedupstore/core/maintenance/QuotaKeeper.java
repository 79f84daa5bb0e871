package io.dedupstore.core.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the index to its quota: tells the shards how many entries they may have, and has the oldest
 * ones pruned before there are too many.
 *
 * <p>Limits are commands of the shards' logs, so one is sent only when it differs enough from what
 * the shard knows: an idle store writes nothing. Steps by one thread at a time; the other methods
 * by any.
 */
public final class QuotaKeeper {
    /** A limit that moved by less than this share of it is left alone. */
    private static final long TOLERANCE = 64;

    /** How long a prune that found too little to take is not repeated. */
    private static final Duration FRUITLESS_PAUSE = Duration.ofMinutes(10);

    private final Supplier<IndexQuota> quota;
    private final Supplier<IndexLimit.Room> room;
    private final List<? extends Shard> shards;
    private final Prune prune;
    private final LongSupplier nanos;
    private long fruitlessAt;

    /** Under which a prune found too little; null when the last one found enough. */
    private @Nullable IndexQuota fruitless;

    /** A shard that can be limited. Blocking. */
    public interface Shard {
        long entries();

        /** What it was told last. */
        OptionalLong limit();

        void limit(OptionalLong entries);
    }

    /** Has entries pruned and waits for it. */
    @FunctionalInterface
    public interface Prune {
        /**
         * @return entries that went
         */
        long oldest(long entries);
    }

    public QuotaKeeper(
            Supplier<IndexQuota> quota,
            Supplier<IndexLimit.Room> room,
            List<? extends Shard> shards,
            Prune prune,
            LongSupplier nanos) {
        this.quota = quota;
        this.room = room;
        this.shards = List.copyOf(shards);
        this.prune = prune;
        this.nanos = nanos;
    }

    /** What the quota comes to now. */
    public IndexLimit limit() {
        return IndexLimit.of(quota.get(), entries(), room.get());
    }

    private long entries() {
        return shards.stream().mapToLong(Shard::entries).sum();
    }

    /** Tells the shards their limits, and returns what they come to. */
    public IndexLimit apply() {
        IndexLimit limit = limit();
        for (Shard shard : shards) {
            OptionalLong share = share(limit.entries());
            if (differs(shard, share)) {
                shard.limit(share);
            }
        }
        return limit;
    }

    /**
     * Looks once and does what is needed.
     *
     * @return whether entries were pruned
     */
    public boolean step() {
        IndexQuota now = quota.get();
        long excess = apply().excess(entries());
        boolean pausing =
                now.equals(fruitless)
                        && nanos.getAsLong() - fruitlessAt < FRUITLESS_PAUSE.toNanos();
        if (excess == 0 || pausing) {
            return false;
        }
        long gone = prune.oldest(excess);
        fruitless = gone < excess / 2 + 1 ? now : null;
        fruitlessAt = nanos.getAsLong();
        return gone > 0;
    }

    private OptionalLong share(OptionalLong limit) {
        return limit.isEmpty()
                ? limit
                : OptionalLong.of(Math.ceilDiv(limit.getAsLong(), (long) shards.size()));
    }

    private static boolean differs(Shard shard, OptionalLong wanted) {
        OptionalLong known = shard.limit();
        if (known.isEmpty() || wanted.isEmpty()) {
            return known.isPresent() || wanted.isPresent();
        }
        long entries = shard.entries();
        long before = known.getAsLong();
        long now = wanted.getAsLong();
        boolean decides = entries >= now != entries >= before;
        return before != now && (decides || Math.abs(before - now) > before / TOLERANCE);
    }
}
