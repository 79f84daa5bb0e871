package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.maintenance.Difference.Kind;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexVerifierTest {
    private static final Table UNIQUE = IndexStateMachine.entryTables().get(0);
    private static final Table DUPLICATE = IndexStateMachine.entryTables().get(1);
    private static final Table MANIFESTS = new Table("manifests", Table.Profile.SCAN);
    private static final int REFERENCES_AT = 14;
    private static final int STEPS = 100;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aStoreAtWorkHasNoDifferenceAtAnyMoment(long seed) {
        VerifiedStore store = new VerifiedStore(seed);
        for (int step = 0; step < STEPS; step++) {
            store.step();
            IndexVerifier.Result result =
                    VerifiedStore.verify(store.cut(() -> {}), 1 + step % 3 * 120);
            assertThat(result.named()).as("seed %d, step %d", seed, step).isEmpty();
            assertThat(result.complete()).isTrue();
            assertThat(result.skipped()).isZero();
        }
        store.settle();
        assertThat(store.verify().named()).as("seed %d", seed).isEmpty();
    }

    /** Views of different moments fit together, or it shows that they do not. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void whatHappensBetweenTheViewsMakesNoDifference(long seed) {
        VerifiedStore store = new VerifiedStore(seed);
        int compared = 0;
        int skipped = 0;
        for (int step = 0; step < STEPS; step++) {
            IndexVerifier.Cut cut =
                    store.cut(
                            () -> {
                                for (int i = store.random.nextInt(4); i > 0; i--) {
                                    store.step();
                                }
                            });
            if (IndexVerifier.indexFits(cut)) {
                IndexVerifier.Result result = VerifiedStore.verify(cut, 100);
                assertThat(result.named()).as("seed %d, step %d", seed, step).isEmpty();
                compared++;
                skipped += result.skipped() > 0 ? 1 : 0;
                assertThat(IndexVerifier.isCoherent(cut)).isEqualTo(result.skipped() == 0);
            }
        }
        assertThat(compared).isGreaterThan(STEPS / 2);
        assertThat(skipped).as("containers left out now and then").isPositive();
    }

    @Test
    void theFiguresAreThoseOfTheStore() {
        VerifiedStore store = settled(21);
        store.prune();
        store.limit(OptionalLong.of(1));
        IndexVerifier.Result result = store.verify();
        for (int i = 0; i < 100 && result.unindexed() == 0; i++) {
            store.put();
            store.settle();
            result = store.verify();
        }
        long entries =
                store.shard(0).statistics().entries() + store.shard(1).statistics().entries();
        assertThat(result.entries()).isEqualTo(entries).isPositive();
        assertThat(result.pruned())
                .isEqualTo(
                        store.shard(0).statistics().pruned()
                                + store.shard(1).statistics().pruned());
        assertThat(result.slots()).isEqualTo(entries + result.pruned() + result.unindexed());
        assertThat(result.pruned()).isPositive();
        assertThat(result.unindexed()).isPositive();
    }

    // ---- planted faults: each is found ----

    private static VerifiedStore settled(long seed) {
        VerifiedStore store = new VerifiedStore(seed);
        for (int step = 0; step < 150; step++) {
            store.step();
        }
        store.prune();
        store.limit(OptionalLong.empty());
        for (int i = 0; i < 5; i++) {
            store.put();
        }
        store.settle();
        assertThat(store.verify().named()).isEmpty();
        return store;
    }

    private static void finds(VerifiedStore store, Kind... kinds) {
        IndexVerifier.Result result = store.verify();
        assertThat(result.named()).extracting(Difference::kind).contains(kinds);
        assertThat(result.differences()).isGreaterThanOrEqualTo(kinds.length);
    }

    private static void change(Table table, MemoryKvStore rows, UnaryOperator<byte[]> value) {
        KvBatch batch = new KvBatch();
        try (KvCursor cursor = rows.scan(table, new byte[0], null)) {
            assertThat(cursor.next()).as("table %s has a row", table.name()).isTrue();
            byte[] changed = value.apply(cursor.value());
            if (changed.length == 0) {
                batch.delete(table, cursor.key());
            } else {
                batch.put(table, cursor.key(), changed);
            }
        }
        rows.write(batch);
    }

    private static byte[] plusOne(byte[] entry) {
        ByteBuffer.wrap(entry)
                .putInt(REFERENCES_AT, ByteBuffer.wrap(entry).getInt(REFERENCES_AT) + 1);
        return entry;
    }

    private static ChunkAddress owned(VerifiedStore store) {
        ChunkAddress[] found = new ChunkAddress[1];
        store.cut(() -> {})
                .index()
                .getFirst()
                .forEachEntry(
                        entry -> {
                            found[0] = entry.address();
                            return false;
                        });
        return found[0];
    }

    @Test
    void aReferenceTooMuchIsFound() {
        VerifiedStore store = settled(31);
        change(DUPLICATE, store.indexGroup.store, IndexVerifierTest::plusOne);
        finds(store, Kind.REFERENCES_DIFFER);
    }

    @Test
    void anEntryInTheWrongTableIsFound() {
        VerifiedStore store = settled(32);
        change(UNIQUE, store.indexGroup.store, IndexVerifierTest::plusOne);
        finds(store, Kind.REFERENCES_DIFFER, Kind.MISPLACED_ENTRY);
    }

    @Test
    void aLostEntryIsFoundWhetherItLooksPrunedOrNot() {
        VerifiedStore store = settled(33);
        change(UNIQUE, store.indexGroup.store, value -> new byte[0]);
        finds(store, Kind.PRUNED_DIFFER);
        change(DUPLICATE, store.indexGroup.store, value -> new byte[0]);
        finds(store, Kind.MISSING_ENTRY);
    }

    @Test
    void anUnreadableEntryIsFound() {
        VerifiedStore store = settled(34);
        change(
                UNIQUE,
                store.indexGroup.store,
                value -> {
                    value[0] = 0;
                    return value;
                });
        finds(store, Kind.UNREADABLE_ENTRY);
    }

    @Test
    void anEntryOfAnotherAddressIsFound() {
        VerifiedStore store = settled(35);
        ChunkAddress other = store.slots.append();
        change(
                DUPLICATE,
                store.indexGroup.store,
                value -> {
                    ByteBuffer.wrap(value)
                            .putLong(1, other.container().value())
                            .put(9, (byte) (other.slot() >>> 12))
                            .put(10, (byte) (other.slot() >>> 4))
                            .put(11, (byte) (other.slot() << 4 | value[11] & 0x0f));
                    return value;
                });
        finds(store, Kind.REFERENCES_DIFFER, Kind.MISSING_ENTRY, Kind.NOT_ADOPTED);
    }

    @Test
    void aManifestThatLostARowIsFound() {
        VerifiedStore store = settled(36);
        change(MANIFESTS, store.metadataGroup.store, value -> new byte[0]);
        finds(store, Kind.MANIFEST_INCOMPLETE, Kind.REFERENCES_DIFFER);
    }

    private static void findsInSlots(long seed, Kind kind, Consumer<VerifiedStore> fault) {
        VerifiedStore store = settled(seed);
        fault.accept(store);
        finds(store, kind);
    }

    @Test
    void slotsThatAreNotWhatTheirOwnersBelieveAreFound() {
        findsInSlots(41, Kind.FREED_BUT_OWNED, store -> store.slots.free(owned(store)));
        findsInSlots(42, Kind.NOT_ADOPTED, store -> store.slots.forgetAdoption(owned(store)));
        findsInSlots(43, Kind.NO_RECORD, store -> store.slots.loseRecord(owned(store)));
        findsInSlots(44, Kind.LEAKED_SLOT, store -> store.slots.adopt(store.slots.append()));
        findsInSlots(45, Kind.ORPHAN_SLOT, store -> store.slots.expire(store.slots.append()));
        findsInSlots(46, Kind.NO_CONTAINER, store -> store.slots.lose(new ContainerId(1)));
    }

    @Test
    void allDifferencesAreCountedAndTheFirstAreNamed() {
        VerifiedStore store = settled(51);
        for (int i = 0; i < 50; i++) {
            store.slots.adopt(store.slots.append());
        }
        IndexVerifier.Result result = store.verify();
        assertThat(result.differences()).isEqualTo(50);
        assertThat(result.named()).hasSize(20);
    }

    @Test
    void itStopsWhenTold() {
        VerifiedStore store = settled(61);
        IndexVerifier.Watch stop =
                new IndexVerifier.Watch() {
                    @Override
                    public void group(int number, int groups) {}

                    @Override
                    public boolean at(long done) {
                        return false;
                    }
                };
        IndexVerifier.Result result = new IndexVerifier(store.cut(() -> {}), 1_000, 20, stop).run();
        assertThat(result.complete()).isFalse();
        assertThat(result.named()).isEmpty();
    }
}
