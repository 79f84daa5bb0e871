package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaKeeperTest {
    private static final long GIB = 1L << 30;

    private static final class Shard implements QuotaKeeper.Shard {
        private long entries;
        private OptionalLong limit = OptionalLong.empty();
        private int told;

        Shard(long entries) {
            this.entries = entries;
        }

        @Override
        public long entries() {
            return entries;
        }

        @Override
        public OptionalLong limit() {
            return limit;
        }

        @Override
        public void limit(OptionalLong now) {
            limit = now;
            told++;
        }
    }

    private final Shard first = new Shard(500);
    private final Shard second = new Shard(500);
    private final List<Long> prunes = new ArrayList<>();
    private IndexQuota quota = new IndexQuota.None();
    private IndexLimit.Room room = shared(GIB);
    private long prunable = Long.MAX_VALUE;
    private long nanos;
    private final QuotaKeeper keeper =
            new QuotaKeeper(
                    () -> quota, () -> room, List.of(first, second), this::prune, () -> nanos);

    private static IndexLimit.Room shared(long memory) {
        return new IndexLimit.Room(memory, false, 100 * GIB, 99 * GIB, GIB);
    }

    private long prune(long entries) {
        prunes.add(entries);
        long gone = Math.min(entries, prunable);
        first.entries -= gone;
        return gone;
    }

    @Test
    void withoutAQuotaNothingIsLimited() {
        assertThat(keeper.step()).isFalse();
        assertThat(first.told).isZero();
    }

    @Test
    void aNumberOfEntriesIsSharedByTheShardsAndToldOnce() {
        quota = new IndexQuota.Entries(4_001);
        keeper.step();
        keeper.step();
        assertThat(first.limit).hasValue(2_001);
        assertThat(second.limit).hasValue(2_001);
        assertThat(first.told).isEqualTo(1);
        quota = new IndexQuota.None();
        keeper.step();
        assertThat(first.limit).isEmpty();
    }

    @Test
    void bytesCountTheDocumentedSizeOfAnEntry() {
        quota = new IndexQuota.Bytes(7_000_000);
        keeper.step();
        assertThat(first.limit).hasValue(50_000);
    }

    @Test
    void atNinetyFivePercentThereIsPrunedDownToNinety() {
        quota = new IndexQuota.Entries(1_100);
        assertThat(keeper.step()).isFalse();
        second.entries = 545;
        assertThat(keeper.step()).isTrue();
        assertThat(prunes).containsExactly(55L);
        assertThat(first.entries + second.entries).isEqualTo(990);
        assertThat(keeper.step()).isFalse();
    }

    @Test
    void whatCannotBePrunedIsNotTriedAllTheTime() {
        quota = new IndexQuota.Entries(1_000);
        prunable = 0;
        assertThat(keeper.step()).isFalse();
        assertThat(keeper.step()).isFalse();
        assertThat(prunes).hasSize(1);
        nanos += 601_000_000_000L;
        keeper.step();
        assertThat(prunes).hasSize(2);
        quota = new IndexQuota.Entries(900);
        keeper.step();
        assertThat(prunes).hasSize(3);
    }

    @Test
    void onASharedDriveOnlyMemoryCounts() {
        quota = new IndexQuota.Auto();
        room = shared(8_000);
        keeper.step();
        assertThat(first.limit).hasValue(2_000);
        assertThat(prunes).isEmpty();
    }

    @Test
    void onItsOwnDriveTheIndexMayHaveWhatOthersLeave() {
        quota = new IndexQuota.Auto();
        room = new IndexLimit.Room(GIB, true, 100_000, 40_000, 30_000);
        assertThat(room.driveFull()).isFalse();
        assertThat(keeper.limit().entries()).hasValue((100_000 * 85 / 100 - 10_000) / 70);
        // A large drive keeps 8 GiB free, not 15 percent.
        room = new IndexLimit.Room(Long.MAX_VALUE, true, 1_000 * GIB, 0, 0);
        assertThat(keeper.limit().entries()).hasValue(992 * GIB / 70);
    }

    @Test
    void aFullDriveOfItsOwnStopsGrowthButPruningDoesNotRunAfterItself() {
        quota = new IndexQuota.Auto();
        room = new IndexLimit.Room(GIB, true, 1_000_000, 900_000, 900_000);
        for (int i = 0; i < 5; i++) {
            keeper.step();
        }
        assertThat(first.limit).hasValue(500);
        assertThat(first.told).isEqualTo(1);
        assertThat(prunes).isEmpty();
    }

    @Test
    void aLimitThatMovesALittleIsNotWrittenAgain() {
        quota = new IndexQuota.Auto();
        room = shared(1_000_000);
        keeper.step();
        room = shared(1_001_000);
        keeper.step();
        assertThat(first.told).isEqualTo(1);
        room = shared(2_000_000);
        keeper.step();
        assertThat(first.told).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "none, none",
        "AUTO, auto",
        "4GiB, 4294967296 bytes",
        "1000 entries, 1000 entries",
        "1000entries, 1000 entries",
        "70 bytes, 70 bytes",
        "70B, 70 bytes",
        "1 tib, 1099511627776 bytes",
        "8000000 tib, 8796093022208000000 bytes",
        "9223372036854775807 entries, 9223372036854775807 entries"
    })
    void quotasAreReadAndWritten(String text, String kept) {
        assertThat(IndexQuota.parse(text).text()).isEqualTo(kept);
        assertThat(IndexQuota.parse(kept)).isEqualTo(IndexQuota.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1000",
                "-1 entries",
                "4GB",
                "0 entries",
                "0B",
                "entries",
                "999999999999 tib",
                "9000000 tib",
                "9223372036854775808 entries"
            })
    void whatIsNoQuotaIsRefused(String text) {
        assertThatThrownBy(() -> IndexQuota.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
