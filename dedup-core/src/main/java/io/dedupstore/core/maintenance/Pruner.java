package io.dedupstore.core.maintenance;

import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.spi.PrunableShard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Forgets the oldest entries that only one holder refers to, in batches that other commands pass
 * between. It can be stopped at any batch; what is left of a number of entries is a plan of its
 * own.
 *
 * <p>Percentiles are exact over the entries as they were counted, at the cost of two scans and 1
 * MiB: ages are counted in 65,536 ranges of 65,536 seconds, then second by second in the one range
 * where the limit falls. One thread at a time.
 */
public final class Pruner {
    private static final int RUN_ROWS = 4_096;
    private static final int BATCH = 500;
    private static final int RANGE_BITS = 16;
    private static final int RANGES = 1 << (Integer.SIZE - RANGE_BITS);

    private final List<? extends PrunableShard> shards;
    private final BooleanSupplier stop;

    /** Told after each batch. */
    @FunctionalInterface
    public interface Progress {
        void pruned(long entries, long bytes);
    }

    /** Entries and the plain bytes of their chunks that went. */
    public record Result(long entries, long bytes, boolean complete) {}

    /**
     * @param stop asked between batches
     */
    public Pruner(List<? extends PrunableShard> shards, BooleanSupplier stop) {
        this.shards = List.copyOf(shards);
        this.stop = stop;
    }

    /** Counts ages and decides, without removing anything. */
    public PrunePlan plan(PruneChoice choice) {
        long[] ranges = new long[RANGES];
        forEach(entry -> ranges[(int) (entry.touched() >>> RANGE_BITS)]++);
        long scanned = sum(ranges);
        return switch (choice) {
            case PruneChoice.TouchedBefore(long seconds) -> before(scanned, seconds);
            case PruneChoice.Percent(double percent) ->
                    oldest(scanned, (long) Math.floor(scanned * (percent / 100)), ranges);
            case PruneChoice.Entries(long count) -> oldest(scanned, count, ranges);
        };
    }

    private PrunePlan before(long scanned, long seconds) {
        long[] older = new long[1];
        forEach(entry -> older[0] += entry.touched() < seconds ? 1 : 0);
        return new PrunePlan(scanned, seconds, 0, older[0]);
    }

    private PrunePlan oldest(long scanned, long wanted, long[] ranges) {
        long left = Math.min(wanted, scanned);
        int range = 0;
        while (range < RANGES - 1 && ranges[range] < left) {
            left -= ranges[range];
            range++;
        }
        int limit = range;
        long[] seconds = new long[1 << RANGE_BITS];
        forEach(
                entry -> {
                    if (entry.touched() >>> RANGE_BITS == limit) {
                        seconds[(int) (entry.touched() & (seconds.length - 1))]++;
                    }
                });
        int second = 0;
        while (second < seconds.length - 1 && seconds[second] < left) {
            left -= seconds[second];
            second++;
        }
        long ofThatSecond = Math.min(left, seconds[second]);
        return new PrunePlan(
                scanned,
                ((long) limit << RANGE_BITS) + second,
                ofThatSecond,
                Math.min(wanted, scanned) - left + ofThatSecond);
    }

    private static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    private void forEach(Consumer<PrunableShard.UniqueEntry> visitor) {
        for (PrunableShard shard : shards) {
            Fingerprint after = null;
            do {
                PrunableShard.UniqueRun run = shard.uniqueEntries(after, RUN_ROWS);
                run.entries().forEach(visitor);
                after = run.last();
            } while (after != null && !stop.getAsBoolean());
        }
    }

    /** Carries a plan out. */
    public Result prune(PrunePlan plan, Progress progress) {
        Removal removal = new Removal(plan, progress);
        for (PrunableShard shard : shards) {
            if (!removal.of(shard)) {
                return new Result(removal.entries, removal.bytes, false);
            }
        }
        return new Result(removal.entries, removal.bytes, true);
    }

    private final class Removal {
        private final PrunePlan plan;
        private final Progress progress;
        private long ofThatSecond;
        private long entries;
        private long bytes;

        Removal(PrunePlan plan, Progress progress) {
            this.plan = plan;
            this.progress = progress;
            this.ofThatSecond = plan.ofThatSecond();
        }

        /** False when it was stopped. */
        boolean of(PrunableShard shard) {
            List<Fingerprint> batch = new ArrayList<>(BATCH);
            @Nullable Fingerprint after = null;
            do {
                PrunableShard.UniqueRun run = shard.uniqueEntries(after, RUN_ROWS);
                for (PrunableShard.UniqueEntry entry : run.entries()) {
                    if (goes(entry)) {
                        batch.add(entry.fingerprint());
                    }
                    if (batch.size() == BATCH) {
                        send(shard, batch);
                        if (stop.getAsBoolean()) {
                            return false;
                        }
                    }
                }
                after = run.last();
                if (stop.getAsBoolean()) {
                    return false;
                }
            } while (after != null);
            send(shard, batch);
            return true;
        }

        private boolean goes(PrunableShard.UniqueEntry entry) {
            if (entry.touched() < plan.second()) {
                return true;
            }
            return entry.touched() == plan.second() && ofThatSecond-- > 0;
        }

        private void send(PrunableShard shard, List<Fingerprint> batch) {
            if (!batch.isEmpty()) {
                PrunableShard.Pruned gone = shard.prune(plan.second(), batch);
                entries += gone.entries();
                bytes += gone.bytes();
                progress.pruned(entries, bytes);
                batch.clear();
            }
        }
    }
}
