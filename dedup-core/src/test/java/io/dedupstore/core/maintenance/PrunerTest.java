package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.PrunableShard;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrunerTest {
    private static final int LENGTH = 1_000;

    private static final class Shard implements PrunableShard {
        private final ShardId id;
        private final NavigableMap<Fingerprint, Long> entries = new TreeMap<>();
        private int prunes;

        Shard(int number) {
            this.id = ShardId.index(number);
        }

        @Override
        public ShardId id() {
            return id;
        }

        @Override
        public UniqueRun uniqueEntries(@Nullable Fingerprint after, int rows) {
            List<UniqueEntry> run = new ArrayList<>();
            NavigableMap<Fingerprint, Long> rest =
                    after == null ? entries : entries.tailMap(after, false);
            rest.entrySet().stream()
                    .limit(rows)
                    .forEach(e -> run.add(new UniqueEntry(e.getKey(), e.getValue(), LENGTH)));
            return new UniqueRun(run, run.size() < rows ? null : run.getLast().fingerprint());
        }

        @Override
        public Pruned prune(long untouchedSince, List<Fingerprint> fingerprints) {
            prunes++;
            assertThat(fingerprints).hasSizeLessThanOrEqualTo(1_000);
            int gone = 0;
            for (Fingerprint fingerprint : fingerprints) {
                assertThat(entries.get(fingerprint)).isLessThanOrEqualTo(untouchedSince);
                entries.remove(fingerprint);
                gone++;
            }
            return new Pruned(gone, (long) gone * LENGTH);
        }
    }

    private final Shard first = new Shard(0);
    private final Shard second = new Shard(1);
    private boolean stopped;
    private final Pruner pruner = new Pruner(List.of(first, second), () -> stopped);

    private void fill(long seed, int count, int seconds) {
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            Shard shard = random.nextBoolean() ? first : second;
            shard.entries.put(
                    new Fingerprint(random.nextLong(), 0, 0, i),
                    1_700_000_000L + random.nextInt(seconds));
        }
    }

    private List<Long> ages() {
        List<Long> ages = new ArrayList<>(first.entries.values());
        ages.addAll(second.entries.values());
        ages.sort(null);
        return ages;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100_000, 40_000_000})
    void aPercentageIsExactAndTakesTheOldest(int seconds) {
        fill(seconds, 20_000, seconds);
        List<Long> before = ages();
        PrunePlan plan = pruner.plan(new PruneChoice.Percent(12.345));
        assertThat(plan.scanned()).isEqualTo(20_000);
        assertThat(plan.entries()).isEqualTo(2_469);
        Pruner.Result result = pruner.prune(plan, (entries, bytes) -> {});
        assertThat(result).isEqualTo(new Pruner.Result(2_469, 2_469L * LENGTH, true));
        assertThat(ages()).isEqualTo(before.subList(2_469, 20_000));
    }

    @Test
    void allOrNothingAtTheEndsOfTheScale() {
        fill(3, 500, 50);
        assertThat(pruner.plan(new PruneChoice.Percent(0)).entries()).isZero();
        assertThat(pruner.plan(new PruneChoice.Entries(10_000)).entries()).isEqualTo(500);
        PrunePlan all = pruner.plan(new PruneChoice.Percent(100));
        assertThat(all.entries()).isEqualTo(500);
        assertThat(pruner.prune(all, (entries, bytes) -> {}).entries()).isEqualTo(500);
        assertThat(ages()).isEmpty();
        assertThat(pruner.plan(new PruneChoice.Percent(50))).isEqualTo(new PrunePlan(0, 0, 0, 0));
    }

    @Test
    void byAgeTakesWhatWasTouchedBefore() {
        fill(4, 1_000, 100);
        List<Long> before = ages();
        PrunePlan plan = pruner.plan(new PruneChoice.TouchedBefore(1_700_000_050L));
        long expected = before.stream().filter(t -> t < 1_700_000_050L).count();
        assertThat(plan.entries()).isEqualTo(expected);
        pruner.prune(plan, (entries, bytes) -> {});
        assertThat(ages()).allMatch(t -> t >= 1_700_000_050L).hasSize((int) (1_000 - expected));
    }

    @Test
    void whatWasStoppedGoesOnWhereItWas() {
        fill(5, 20_000, 1_000_000);
        PrunePlan plan = pruner.plan(new PruneChoice.Entries(15_000));
        Pruner.Result part = pruner.prune(plan, (entries, bytes) -> stopped = entries >= 3_000);
        assertThat(part.complete()).isFalse();
        assertThat(part.entries()).isBetween(3_000L, 8_000L);
        stopped = false;
        PrunePlan left = pruner.plan(new PruneChoice.Entries(15_000 - part.entries()));
        Pruner.Result rest = pruner.prune(left, (entries, bytes) -> {});
        assertThat(rest.complete()).isTrue();
        assertThat(part.entries() + rest.entries()).isEqualTo(15_000);
    }

    @Test
    void whatWasTouchedSinceTheCountIsLeftToTheShard() {
        fill(6, 100, 10);
        PrunePlan plan = pruner.plan(new PruneChoice.Percent(100));
        first.entries.replaceAll((fingerprint, touched) -> 2_000_000_000L);
        long left = first.entries.size();
        pruner.prune(plan, (entries, bytes) -> {});
        assertThat(ages()).hasSize((int) left);
        assertThat(first.prunes).isZero();
    }

    @Test
    void nonsenseIsRefused() {
        for (double percent : new double[] {-1, 100.5, Double.NaN}) {
            assertThatThrownBy(() -> new PruneChoice.Percent(percent))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
