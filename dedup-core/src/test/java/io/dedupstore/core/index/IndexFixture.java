package io.dedupstore.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A machine over a store in memory, spoken to in short words; every apply is held to its row bound.
 */
final class IndexFixture {
    static final ShardId SHARD = ShardId.index(0);
    static final ShardId HOME = ShardId.metadata(0);
    static final int LENGTH = 10_000;

    final KvStore store;
    final IndexStateMachine machine;
    final ShardId shard;

    /** Every command applied, for replay. */
    final List<byte[]> log = new ArrayList<>();

    private final Outbox outbox;
    private long sequence;
    private long time = 1_000;

    IndexFixture() {
        this(new IndexStateMachine(List.of(SHARD)), new MemoryKvStore(IndexTables.ALL), SHARD);
    }

    IndexFixture(IndexStateMachine machine, KvStore store, ShardId shard) {
        this.machine = machine;
        this.store = store;
        this.shard = shard;
        this.outbox = new Outbox(shard);
    }

    static Fingerprint fp(long n) {
        return new Fingerprint(n, 0, 0, n);
    }

    static ChunkAddress at(long container, int slot) {
        return new ChunkAddress(new ContainerId(container), slot);
    }

    static V v(int epoch, long counter) {
        return new V(epoch, 1, counter);
    }

    static ClaimItem known(long fp) {
        return new ClaimItem(fp(fp), null, LENGTH);
    }

    static ClaimItem offer(long fp, ChunkAddress address) {
        return new ClaimItem(fp(fp), address, LENGTH);
    }

    static ClaimAnswer own(ChunkAddress address) {
        return new ClaimAnswer.Own(address);
    }

    static ClaimAnswer use(ChunkAddress address) {
        return new ClaimAnswer.Use(address);
    }

    static ClaimAnswer unindexed() {
        return new ClaimAnswer.Unindexed();
    }

    static ClaimAnswer miss() {
        return new ClaimAnswer.Miss();
    }

    IndexReply apply(IndexCommand command) {
        return apply(IndexCommandCodec.encode(command));
    }

    IndexReply apply(byte[] command) {
        log.add(command);
        KvTransaction rows = new KvTransaction(store);
        byte[] reply = machine.apply(rows, command);
        assertThat(rows.toBatch().writes().size()).isLessThanOrEqualTo(StepSize.UNSAID.rows());
        store.write(rows.toBatch());
        return IndexReplyCodec.decode(reply);
    }

    void time(long seconds) {
        time = seconds;
    }

    IndexReply tryClaim(V v, ClaimItem... items) {
        return apply(new IndexCommand.Claim(shard, v, HOME, time, List.of(items)));
    }

    List<ClaimAnswer> claim(V v, ClaimItem... items) {
        IndexReply reply = tryClaim(v, items);
        assertThat(reply).isInstanceOf(IndexReply.Claimed.class);
        return ((IndexReply.Claimed) reply).answers();
    }

    /** Delivers the next items of the metadata shard's stream. */
    void deliver(IndexMessage... messages) {
        for (IndexMessage message : messages) {
            long next = sequence + 1;
            assertThat(deliverAt(next, message)).isEqualTo(new IndexReply.Delivered(next));
            sequence = next;
        }
    }

    IndexReply deliverAt(long first, IndexMessage... messages) {
        List<byte[]> encoded =
                Arrays.stream(messages).map(this::summed).map(MessageCodec::encode).toList();
        return apply(new IndexCommand.Deliver(shard, HOME, first, encoded));
    }

    /** A CONFIRM with the sum that the gateway would have come to, from what it was answered. */
    private IndexMessage summed(IndexMessage message) {
        if (!(message instanceof IndexMessage.Confirm(V v, Retained retained))) {
            return message;
        }
        ReferenceSum sum = retained(v, retained);
        return switch (retained) {
            case Retained.All all -> new IndexMessage.Confirm(v, new Retained.All(sum));
            case Retained.AllBut but ->
                    new IndexMessage.Confirm(v, new Retained.AllBut(but.dropped(), sum));
            case Retained.None none -> message;
        };
    }

    /** Over the recorded answers that a verdict retains. */
    ReferenceSum retained(V v, Retained retained) {
        ReferenceSum sum = ReferenceSum.ZERO;
        byte[] of = IndexTables.key(prefix(), v);
        try (KvCursor cursor = store.scan(IndexTables.ANSWERS, of, Bytes.successorOfPrefix(of))) {
            while (cursor.next()) {
                Fingerprint fingerprint = IndexTables.fingerprintOf(cursor.key());
                Optional<ChunkAddress> address = Claims.addressOf(Answers.readOne(cursor.value()));
                if (address.isPresent() && retained.keeps(fingerprint)) {
                    sum = sum.plus(ReferenceSum.of(fingerprint, address.get()));
                }
            }
        }
        return sum;
    }

    void confirm(V v) {
        deliver(new IndexMessage.Confirm(v, new Retained.All(ReferenceSum.ZERO)));
    }

    void abort(V v) {
        deliver(new IndexMessage.Abort(v));
    }

    void release(V holder, long fp, ChunkAddress address) {
        deliver(new IndexMessage.Release(holder, List.of(new ChunkReference(fp(fp), address))));
    }

    void limit(long entries) {
        apply(new IndexCommand.SetEntryLimit(shard, OptionalLong.of(entries)));
    }

    void suspect(long fp, ChunkAddress address, boolean suspect) {
        apply(
                new IndexCommand.MarkSuspect(
                        shard, suspect, List.of(new ChunkReference(fp(fp), address))));
    }

    /** Background work to its end; how many steps it took. */
    int work() {
        int steps = 0;
        while (step()) {
            steps++;
            assertThat(steps).as("background work never ends").isLessThan(10_000);
        }
        return steps;
    }

    boolean step() {
        Optional<byte[]> next = machine.pendingWork(store);
        next.ifPresent(this::apply);
        return next.isPresent();
    }

    /** Takes everything that waits for containers, in text like "1 ADOPT [0, 1]". */
    List<String> sent() {
        List<String> sent = new ArrayList<>();
        for (Destination stream : outbox.ready(store, null, 10_000)) {
            long container = ((Destination.Container) stream).container().value();
            Outbox.Run run = outbox.read(store, stream, 10_000);
            run.messages().forEach(m -> sent.add(container + " " + text(m)));
            long last = run.firstSequence() + run.messages().size() - 1;
            apply(new IndexCommand.Acknowledge(shard, List.of(new StreamPosition(stream, last))));
        }
        return sent;
    }

    private static String text(byte[] message) {
        return switch (MessageCodec.decodeStorage(message)) {
            case StorageMessage.Adopt adopt -> "ADOPT " + Arrays.toString(adopt.slots());
            case StorageMessage.Free free -> "FREE " + Arrays.toString(free.slots());
            case StorageMessage.Closed(int epoch) -> "CLOSED " + epoch;
        };
    }

    /**
     * Puts the row of an intent that is being settled, as large ones leave it between two steps.
     */
    void putSettling(V v, Set<Fingerprint> dropped, Fingerprint after) {
        Intent intent =
                new Intent(
                        HOME,
                        time,
                        2_000,
                        new Intent.Settling(
                                new Retained.AllBut(dropped, ReferenceSum.ZERO), after));
        store.write(
                new KvBatch()
                        .put(IndexTables.INTENTS, IndexTables.key(prefix(), v), intent.toBytes())
                        .put(
                                IndexTables.SETTLING,
                                IndexTables.key(prefix(), v),
                                IndexTables.NOTHING));
    }

    @Nullable Entry entry(long fp) {
        byte[] value = EntryRows.values(store, prefix(), List.of(fp(fp))).getFirst();
        return value == null ? null : Entry.read(value).orElseThrow();
    }

    long references(long fp) {
        Entry entry = entry(fp);
        return entry == null ? -1 : entry.references();
    }

    boolean has(Table table, long fp) {
        return store.get(table, IndexTables.key(prefix(), fp(fp))) != null;
    }

    byte[] prefix() {
        return IndexTables.prefix(shard);
    }

    IndexStatistics statistics() {
        return IndexQueries.statistics(store, shard);
    }

    static List<String> dump(KvStore store) {
        List<String> lines = new ArrayList<>();
        HexFormat hex = HexFormat.of();
        for (Table table : IndexTables.ALL) {
            try (KvCursor cursor = store.scan(table, new byte[0], null)) {
                while (cursor.next()) {
                    lines.add(
                            (table.name()
                                            + " "
                                            + hex.formatHex(cursor.key())
                                            + " "
                                            + hex.formatHex(cursor.value()))
                                    .stripTrailing());
                }
            }
        }
        return lines;
    }

    int rows(Table table) {
        int count = 0;
        try (KvCursor cursor = store.scan(table, new byte[0], null)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    /** Counts everything anew from the rows and compares with what is kept incrementally. */
    void checkCounters(String where) {
        IndexStatistics said = statistics();
        long unique = 0;
        long duplicate = 0;
        long zombies = 0;
        long zombieBytes = 0;
        Histogram.Bucket[] buckets = new Histogram.Bucket[Histogram.BUCKETS];
        Arrays.fill(buckets, Histogram.Bucket.EMPTY);
        for (Table table : List.of(IndexTables.UNIQUE, IndexTables.DUPLICATE)) {
            try (KvCursor cursor = store.scan(table, new byte[0], null)) {
                while (cursor.next()) {
                    Entry entry = Entry.read(cursor.value()).orElseThrow();
                    boolean expectedHere = table.equals(IndexTables.DUPLICATE);
                    assertThat(entry.duplicate()).as(where + " table").isEqualTo(expectedHere);
                    unique += expectedHere ? 0 : 1;
                    duplicate += expectedHere ? 1 : 0;
                    boolean queued = store.get(IndexTables.ZOMBIES, cursor.key()) != null;
                    assertThat(queued).as(where + " zombie row").isEqualTo(entry.zombie());
                    if (entry.zombie()) {
                        zombies++;
                        zombieBytes += entry.length();
                    } else {
                        int bucket = Histogram.bucketOf(entry.references());
                        buckets[bucket] =
                                buckets[bucket].plus(
                                        new Histogram.Bucket(
                                                1,
                                                entry.references(),
                                                entry.length(),
                                                entry.references() * entry.length()));
                    }
                }
            }
        }
        assertThat(said)
                .as(where)
                .isEqualTo(
                        new IndexStatistics(
                                unique,
                                duplicate,
                                zombies,
                                zombieBytes,
                                openIntents(),
                                rows(IndexTables.INTENTS) - openIntents(),
                                said.entryLimit(),
                                0,
                                0,
                                said.pruned(),
                                said.prunedBytes(),
                                said.ghosts(),
                                new IndexStatistics.Audit(true, said.audit().checks(), 0),
                                new Histogram(List.of(buckets))));
        assertThat(rows(IndexTables.ZOMBIES)).as(where).isEqualTo((int) zombies);
    }

    private int openIntents() {
        return IndexQueries.openIntents(store, shard, Integer.MAX_VALUE, Integer.MAX_VALUE).size();
    }
}
