package io.dedupstore.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class InboxTest {
    private static final ShardId SOURCE = ShardId.metadata(2);

    private final MemoryKvStore store = new MemoryKvStore(List.of(Inbox.TABLE));
    private final Inbox inbox = new Inbox(new Destination.Shard(ShardId.index(5)));

    @Test
    void anItemIsAppliedOnlyAfterTheOneBeforeIt() {
        assertThat(inbox.arrival(store, SOURCE, 1, 3)).isEqualTo(new Inbox.Arrival.Apply(0));
        assertThat(inbox.arrival(store, SOURCE, 2, 3)).isEqualTo(new Inbox.Arrival.Gap(0));
        change(rows -> inbox.applied(rows, SOURCE, 3));

        assertThat(inbox.lastApplied(store, SOURCE)).isEqualTo(3);
        assertThat(inbox.arrival(store, SOURCE, 4, 1)).isEqualTo(new Inbox.Arrival.Apply(0));
        assertThat(inbox.arrival(store, SOURCE, 5, 1)).isEqualTo(new Inbox.Arrival.Gap(3));
    }

    @Test
    void itemsAppliedBeforeArePassedOver() {
        change(rows -> inbox.applied(rows, SOURCE, 3));

        assertThat(inbox.arrival(store, SOURCE, 1, 3)).isEqualTo(new Inbox.Arrival.Apply(3));
        assertThat(inbox.arrival(store, SOURCE, 2, 4)).isEqualTo(new Inbox.Arrival.Apply(2));
        assertThat(inbox.arrival(store, SOURCE, 1, 0)).isEqualTo(new Inbox.Arrival.Apply(0));
    }

    @Test
    void aPositionNeverGoesBack() {
        change(rows -> inbox.applied(rows, SOURCE, 3));
        KvTransaction rows = new KvTransaction(store);
        assertThatThrownBy(() -> inbox.applied(rows, SOURCE, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> inbox.arrival(store, SOURCE, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void receiversAndSourcesAreKeptApartAndAReceiverCanBeDropped() {
        Inbox container = new Inbox(new Destination.Container(new ContainerId(5)));
        change(
                rows -> {
                    inbox.applied(rows, SOURCE, 1);
                    container.applied(rows, SOURCE, 7);
                    container.applied(rows, ShardId.index(2), 9);
                });
        assertThat(inbox.positions(store)).isEqualTo(Map.of(SOURCE, 1L));
        assertThat(container.positions(store)).isEqualTo(Map.of(SOURCE, 7L, ShardId.index(2), 9L));
        change(container::drop);
        assertThat(container.positions(store)).isEmpty();
        assertThat(inbox.lastApplied(store, SOURCE)).isEqualTo(1);
    }

    private void change(Consumer<KvTransaction> change) {
        KvTransaction rows = new KvTransaction(store);
        change.accept(rows);
        store.write(rows.toBatch());
    }
}
