package io.dedupstore.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final Destination.Container C1 = new Destination.Container(new ContainerId(1));
    private static final Destination.Container C2 =
            new Destination.Container(new ContainerId(Long.MAX_VALUE));
    private static final Destination.Shard S3 = new Destination.Shard(ShardId.index(3));

    private final MemoryKvStore store = new MemoryKvStore(Outbox.TABLES);
    private final Outbox outbox = new Outbox(ShardId.metadata(0));
    private final Outbox neighbour = new Outbox(ShardId.metadata(1));

    @Test
    void numbersTheItemsOfEachStreamFromOne() {
        change(
                rows -> {
                    outbox.append(rows, C1, closed(1));
                    outbox.append(rows, C2, closed(2));
                    outbox.append(rows, C1, closed(3));
                });
        change(rows -> outbox.append(rows, C1, closed(4)));

        Outbox.Run run = outbox.read(store, C1, 10);
        assertThat(run.firstSequence()).isEqualTo(1);
        assertThat(run.messages())
                .extracting(MessageCodec::decodeStorage)
                .containsExactly(closed(1), closed(3), closed(4));
        assertThat(outbox.read(store, C2, 10).messages()).hasSize(1);
        assertThat(outbox.position(store, C1)).isEqualTo(new Outbox.Position(3, 0));
    }

    @Test
    void onlyStreamsWithUndeliveredItemsAreReady() {
        change(
                rows -> {
                    outbox.append(rows, C2, closed(1));
                    outbox.append(rows, S3, new IndexMessage.Abort(new V(1, 1, 1)));
                    outbox.append(rows, C1, closed(1));
                });
        assertThat(outbox.ready(store, null, 10)).containsExactly(S3, C1, C2);
        assertThat(outbox.ready(store, null, 2)).containsExactly(S3, C1);
        assertThat(outbox.ready(store, C1, 2)).containsExactly(C2);
        assertThat(neighbour.ready(store, null, 10)).isEmpty();

        change(rows -> acknowledge(outbox, rows, C1, 1));
        assertThat(outbox.ready(store, null, 10)).containsExactly(S3, C2);

        change(rows -> outbox.append(rows, C1, closed(2)));
        assertThat(outbox.ready(store, null, 10)).containsExactly(S3, C1, C2);
        assertThat(outbox.read(store, C1, 10).firstSequence()).isEqualTo(2);
    }

    @Test
    void shardsOfOneGroupDoNotSeeEachOthersStreams() {
        change(
                rows -> {
                    outbox.append(rows, C1, closed(1));
                    neighbour.append(rows, C1, closed(2));
                });
        assertThat(neighbour.read(store, C1, 10).messages())
                .extracting(MessageCodec::decodeStorage)
                .containsExactly(closed(2));
        change(rows -> acknowledge(neighbour, rows, C1, 1));
        assertThat(outbox.ready(store, null, 10)).containsExactly(C1);
    }

    @Test
    void acknowledgingIsIdempotentAndNeverGoesBack() {
        change(
                rows -> {
                    for (int i = 1; i <= 5; i++) {
                        outbox.append(rows, C1, closed(i));
                    }
                });
        change(rows -> assertThat(acknowledge(outbox, rows, C1, 3)).isEqualTo(3));
        change(rows -> assertThat(acknowledge(outbox, rows, C1, 2)).isEqualTo(3));
        change(rows -> assertThat(acknowledge(outbox, rows, C1, 3)).isEqualTo(3));
        assertThat(outbox.read(store, C1, 10).firstSequence()).isEqualTo(4);
        assertThat(outbox.read(store, C1, 10).messages()).hasSize(2);
        change(rows -> assertThat(acknowledge(outbox, rows, C1, 99)).isEqualTo(5));
        assertThat(outbox.read(store, C1, 10).messages()).isEmpty();
        assertThat(rowCount(Outbox.TABLES.get(1))).isZero();
    }

    @Test
    void aRunIsBoundedInItemsAndBytesButNeverEmpty() {
        IndexMessage.Release big =
                new IndexMessage.Release(
                        new V(1, 1, 1),
                        Collections.nCopies(
                                IndexMessage.Release.MAX_REFERENCES,
                                new ChunkReference(
                                        new Fingerprint(1, 2, 3, 4),
                                        new ChunkAddress(new ContainerId(1), 1))));
        int size = MessageCodec.encode(big).length;
        change(
                rows -> {
                    for (int i = 0; i < 20; i++) {
                        outbox.append(rows, S3, big);
                    }
                });
        assertThat(outbox.read(store, S3, 20).messages()).hasSize(Outbox.MAX_RUN_BYTES / size);
        assertThat(outbox.read(store, S3, 2).messages()).hasSize(2);
    }

    @Test
    void aStreamWhoseReceiverIsGoneIsForgottenInBoundedSteps() {
        int items = Outbox.MAX_ACKNOWLEDGED + 10;
        change(
                rows -> {
                    for (int i = 1; i <= items; i++) {
                        outbox.append(rows, C1, closed(i));
                    }
                });
        change(
                rows -> {
                    acknowledge(outbox, rows, C1, Long.MAX_VALUE);
                    assertThat(rows.toBatch().writes().size()).isLessThan(4_096);
                });
        assertThat(outbox.ready(store, null, 10)).containsExactly(C1);
        change(rows -> acknowledge(outbox, rows, C1, Long.MAX_VALUE));
        for (Table table : Outbox.TABLES) {
            assertThat(rowCount(table)).as(table.name()).isZero();
        }
        change(rows -> acknowledge(outbox, rows, C1, Long.MAX_VALUE));
        assertThat(outbox.position(store, C1)).isEqualTo(new Outbox.Position(0, 0));
    }

    @Test
    void itemsAppendedAndAcknowledgedInOneTransactionLeaveNoReadyRow() {
        change(
                rows -> {
                    outbox.append(rows, C1, closed(1));
                    acknowledge(outbox, rows, C1, 1);
                    outbox.append(rows, C1, closed(2));
                    assertThat(outbox.ready(rows, null, 10)).containsExactly(C1);
                    acknowledge(outbox, rows, C1, 2);
                });
        assertThat(outbox.ready(store, null, 10)).isEmpty();
        assertThat(outbox.position(store, C1)).isEqualTo(new Outbox.Position(2, 2));
    }

    private int rowCount(Table table) {
        int count = 0;
        try (var cursor = store.scan(table, new byte[0], null)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    private static StorageMessage closed(int epoch) {
        return new StorageMessage.Closed(epoch);
    }

    private void change(Consumer<KvTransaction> change) {
        KvTransaction rows = new KvTransaction(store);
        change.accept(rows);
        store.write(rows.toBatch());
    }

    @Test
    void tablesAreThoseOfTheFormat() {
        assertThat(List.copyOf(Outbox.TABLES))
                .extracting(Table::name)
                .containsExactly("outbox-streams", "outbox-items", "outbox-ready");
        assertThat(Inbox.TABLE.name()).isEqualTo("inbox");
    }

    private static long acknowledge(
            Outbox outbox, KvTransaction rows, Destination stream, long upTo) {
        outbox.acknowledge(rows, List.of(new StreamPosition(stream, upTo)));
        return outbox.position(rows, stream).acknowledged();
    }
}
