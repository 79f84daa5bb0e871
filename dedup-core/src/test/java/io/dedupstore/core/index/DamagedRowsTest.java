package io.dedupstore.core.index;

import static io.dedupstore.core.index.IndexFixture.SHARD;
import static io.dedupstore.core.index.IndexFixture.at;
import static io.dedupstore.core.index.IndexFixture.fp;
import static io.dedupstore.core.index.IndexFixture.known;
import static io.dedupstore.core.index.IndexFixture.offer;
import static io.dedupstore.core.index.IndexFixture.own;
import static io.dedupstore.core.index.IndexFixture.unindexed;
import static io.dedupstore.core.index.IndexFixture.use;
import static io.dedupstore.core.index.IndexFixture.v;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.V;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows that the store cannot give back. */
class DamagedRowsTest {
    private static final V V1 = v(1, 1);
    private static final V V2 = v(1, 2);
    private static final V V3 = v(1, 3);

    private final DamagedStore store = new DamagedStore();
    private final IndexFixture index =
            new IndexFixture(new IndexStateMachine(List.of(SHARD)), store, SHARD);

    @Test
    void aSharedChunkWhoseEntryCannotBeReadIsNotFreedWhenOneOwnerGoes() {
        index.claim(V1, offer(1, at(5, 0)), offer(2, at(5, 1)));
        index.confirm(V1);
        index.claim(V2, known(1));
        index.confirm(V2);
        index.sent();
        store.damage(IndexTables.DUPLICATE, IndexTables.key(index.prefix(), fp(1)));

        index.release(V1, 1, at(5, 0));
        index.release(V1, 2, at(5, 1));
        index.work();

        assertThat(index.sent()).as("only what can be read").containsExactly("5 FREE [1]");
        assertThat(index.statistics().unreadable()).isEqualTo(1);
    }

    @Test
    void aClaimOfWhatCannotBeReadIsUnindexedAndItsNeighboursAreNot() {
        index.claim(V1, offer(1, at(5, 0)), offer(2, at(5, 1)));
        index.confirm(V1);
        index.sent();
        store.damage(IndexTables.UNIQUE, IndexTables.key(index.prefix(), fp(1)));

        assertThat(IndexQueries.lookup(store, SHARD, List.of(fp(1), fp(2), fp(3))))
                .extracting(found -> found.orElse(null))
                .containsExactly(null, at(5, 1), null);
        assertThat(index.claim(V3, offer(1, at(6, 0)), known(2), offer(3, at(6, 1))))
                .containsExactly(unindexed(), use(at(5, 1)), own(at(6, 1)));
        assertThat(index.sent()).containsExactly("6 ADOPT [1]");
    }

    @Test
    void ghostsThatCannotBeReadCostNothingButTheirStatistics() {
        // Their last bits make them part of the sample.
        index.claim(V1, offer(16, at(5, 0)), offer(32, at(5, 1)));
        index.confirm(V1);
        store.damage(IndexTables.GHOSTS, IndexTables.ghostKey(index.prefix(), fp(16)));

        IndexReply pruned =
                index.apply(new IndexCommand.Prune(SHARD, 2_000, List.of(fp(16), fp(32))));
        assertThat(pruned).isEqualTo(new IndexReply.Pruned(2, 2L * IndexFixture.LENGTH));
        assertThat(index.statistics().ghosts().entries()).isEqualTo(Ghosts.SAMPLE);
        assertThat(index.claim(V2, offer(16, at(6, 0)), offer(32, at(6, 1))))
                .containsExactly(own(at(6, 0)), own(at(6, 1)));
    }

    @Test
    void damagedStateOfTheShardIsNeverPassedOver() {
        store.damage(IndexTables.STATE, IndexTables.stateKey(index.prefix()));
        assertThatThrownBy(() -> index.claim(V1, offer(1, at(5, 0))))
                .isInstanceOf(KvException.class);
    }

    /** A store in memory, some rows of which are damaged. */
    private static final class DamagedStore implements KvStore {
        private final KvStore rows = new MemoryKvStore(IndexTables.ALL);
        private final List<byte[]> damaged = new ArrayList<>();
        private @Nullable Table where;

        void damage(Table table, byte[] key) {
            where = table;
            damaged.add(key);
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            if (table.equals(where) && damaged.stream().anyMatch(d -> Arrays.equals(d, key))) {
                throw new KvException(KvException.Code.DAMAGED, "damaged");
            }
            return rows.get(table, key);
        }

        @Override
        public List<byte @Nullable []> multiGet(Table table, List<byte[]> keys) {
            List<byte @Nullable []> values = new ArrayList<>();
            keys.forEach(key -> values.add(get(table, key)));
            return values;
        }

        @Override
        public KvCursor scan(Table table, byte[] from, byte @Nullable [] to) {
            return rows.scan(table, from, to);
        }

        @Override
        public void write(KvBatch batch) {
            rows.write(batch);
        }

        @Override
        public KvSnapshot snapshot() {
            return rows.snapshot();
        }

        @Override
        public void flush() {
            rows.flush();
        }

        @Override
        public void checkpoint(Path directory) {
            rows.checkpoint(directory);
        }

        @Override
        public long sizeBytes(Table table) {
            return rows.sizeBytes(table);
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
