package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.MetadataShard;
import io.dedupstore.core.spi.OutboxShard.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutboxPumpTest {
    private static final ShardId SOURCE = ShardId.metadata(0);
    private static final ShardId INDEX = ShardId.index(0);

    private final Source source = new Source();
    private final Receiver receiver = new Receiver();
    private OutboxPump pump = newPump();

    private OutboxPump newPump() {
        return new OutboxPump(source, Map.of(INDEX, receiver), container -> receiver);
    }

    private static Destination container(long id) {
        return new Destination.Container(new ContainerId(id));
    }

    /** Keeps streams as a shard does: items stay until they are acknowledged. */
    private static final class Source implements MetadataShard {
        private final NavigableMap<Destination, List<byte[]>> items =
                new TreeMap<>((a, b) -> Arrays.compare(a.toBytes(), b.toBytes()));
        private final Map<Destination, Long> acknowledged = new HashMap<>();
        private int entries;
        private boolean losesAcknowledgements;

        void send(Destination stream, int... messages) {
            for (int message : messages) {
                items.computeIfAbsent(stream, s -> new ArrayList<>())
                        .add(new byte[] {(byte) message});
            }
        }

        @Override
        public ShardId id() {
            return SOURCE;
        }

        @Override
        public List<Destination> readyStreams(@Nullable Destination after, int limit) {
            NavigableMap<Destination, List<byte[]>> rest =
                    after == null ? items : items.tailMap(after, false);
            return rest.keySet().stream().limit(limit).toList();
        }

        @Override
        public synchronized Run read(Destination stream, int maxItems) {
            List<byte[]> waiting = items.getOrDefault(stream, List.of());
            return new Run(
                    acknowledged.getOrDefault(stream, 0L) + 1,
                    List.copyOf(waiting.subList(0, Math.min(maxItems, waiting.size()))));
        }

        @Override
        public synchronized void acknowledge(List<StreamPosition> positions) {
            assertThat(positions).hasSizeBetween(1, StreamPosition.MAX_STREAMS);
            if (losesAcknowledgements) {
                throw new IllegalStateException("no leader");
            }
            entries++;
            for (StreamPosition position : positions) {
                long before = acknowledged.getOrDefault(position.stream(), 0L);
                List<byte[]> waiting = items.get(position.stream());
                long upTo = Math.min(position.upTo(), before + waiting.size());
                waiting.subList(0, (int) (upTo - before)).clear();
                acknowledged.put(position.stream(), upTo);
                if (waiting.isEmpty()) {
                    items.remove(position.stream());
                }
            }
        }

        @Override
        public void resolve(V v, ShardId asking) {
            throw new AssertionError();
        }

        @Override
        public void refuseEpoch(int epoch) {
            throw new AssertionError();
        }

        @Override
        public boolean settled(int epoch) {
            throw new AssertionError();
        }

        @Override
        public void forgetEpoch(int epoch) {
            throw new AssertionError();
        }

        @Override
        public void announceClosed(int epoch, List<ContainerId> containers) {
            throw new AssertionError();
        }
    }

    /** Applies each item once and in order, like index shards and storage nodes. */
    private static final class Receiver implements IndexShard, ContainerNode {
        private final Map<Object, List<Integer>> applied = new HashMap<>();
        private final Set<ContainerId> down = new HashSet<>();
        private final Set<ContainerId> gone = new HashSet<>();
        private int calls;

        List<Integer> applied(Object stream) {
            return applied.getOrDefault(stream, List.of());
        }

        private long apply(Object stream, long first, List<byte[]> messages) {
            calls++;
            List<Integer> before = applied.computeIfAbsent(stream, s -> new ArrayList<>());
            assertThat(first).as("no gap").isLessThanOrEqualTo(before.size() + 1L);
            for (int i = before.size() + 1 - (int) first; i < messages.size(); i++) {
                before.add((int) messages.get(i)[0]);
            }
            return before.size();
        }

        @Override
        public long deliver(ShardId from, long first, List<byte[]> messages) {
            assertThat(from).isEqualTo(SOURCE);
            return apply(INDEX, first, messages);
        }

        @Override
        public long deliver(ContainerId to, ShardId from, long first, List<byte[]> messages) {
            if (down.contains(to)) {
                calls++;
                throw new IllegalStateException("node is down");
            }
            return gone.contains(to) ? Long.MAX_VALUE : apply(to, first, messages);
        }

        @Override
        public ShardId id() {
            return INDEX;
        }

        @Override
        public List<OpenIntent> openIntents(int epoch, int limit) {
            throw new AssertionError();
        }

        @Override
        public List<Destination> readyStreams(@Nullable Destination after, int limit) {
            throw new AssertionError();
        }

        @Override
        public Run read(Destination stream, int maxItems) {
            throw new AssertionError();
        }

        @Override
        public void acknowledge(List<StreamPosition> positions) {
            throw new AssertionError();
        }

        @Override
        public void refuseEpoch(int epoch) {
            throw new AssertionError();
        }

        @Override
        public boolean settled(int epoch) {
            throw new AssertionError();
        }

        @Override
        public void forgetEpoch(int epoch) {
            throw new AssertionError();
        }

        @Override
        public void announceClosed(int epoch, List<ContainerId> containers) {
            throw new AssertionError();
        }

        @Override
        public List<ContainerId> containersWithOrphans(int epoch) {
            throw new AssertionError();
        }
    }

    @Test
    void deliversEveryStreamInOrderAndForgetsInOneEntry() {
        source.send(new Destination.Shard(INDEX), 1, 2, 3);
        for (int c = 1; c <= 300; c++) {
            source.send(container(c), 7, 8);
        }
        assertThat(pump.step()).isTrue();
        assertThat(receiver.applied(INDEX)).containsExactly(1, 2, 3);
        for (int c = 1; c <= 300; c++) {
            assertThat(receiver.applied(new ContainerId(c))).containsExactly(7, 8);
        }
        assertThat(source.entries).isEqualTo(1);
        assertThat(pump.hasItems()).isFalse();
        assertThat(pump.step()).isFalse();
    }

    @Test
    void whatIsDeliveredTwiceAfterALostAcknowledgementIsAppliedOnce() {
        source.send(container(1), 1, 2);
        source.losesAcknowledgements = true;
        assertThatThrownBy(pump::step).hasMessage("no leader");
        source.losesAcknowledgements = false;
        source.send(container(1), 3);
        pump = newPump();
        assertThat(pump.step()).isTrue();
        assertThat(receiver.applied(new ContainerId(1))).containsExactly(1, 2, 3);
        assertThat(pump.hasItems()).isFalse();
    }

    @Test
    void aStreamThatFailsKeepsItsItemsAndHoldsUpNoOther() {
        receiver.down.add(new ContainerId(1));
        source.send(container(1), 1);
        source.send(container(2), 2);
        assertThat(pump.step()).isTrue();
        assertThat(receiver.applied(new ContainerId(2))).containsExactly(2);
        for (int i = 0; i < 20; i++) {
            assertThat(pump.step()).isFalse();
        }
        assertThat(receiver.calls).as("tried less and less often").isBetween(4, 8);
        receiver.down.clear();
        int steps = 0;
        while (!pump.step()) {
            assertThat(++steps).isLessThan(10);
        }
        assertThat(receiver.applied(new ContainerId(1))).containsExactly(1);
    }

    @Test
    void manyStreamsThatFailDoNotStarveThoseBehindThem() {
        for (int c = 1; c <= 2_000; c++) {
            receiver.down.add(new ContainerId(c));
            source.send(container(c), 1);
        }
        source.send(container(5_000), 9);
        for (int i = 0; i < 3; i++) {
            pump.step();
        }
        assertThat(receiver.applied(new ContainerId(5_000))).containsExactly(9);
    }

    @Test
    void theItemsOfAContainerThatIsGoneAreForgotten() {
        receiver.gone.add(new ContainerId(1));
        source.send(container(1), 1, 2, 3);
        assertThat(pump.step()).isTrue();
        assertThat(pump.hasItems()).isFalse();
    }

    @Test
    void aReceiverBehindTheOldestItemIsAnErrorAndNothingIsForgotten() {
        source.send(container(1), 1, 2);
        source.acknowledge(List.of(new StreamPosition(container(1), 1)));
        source.entries = 0;
        OutboxPump toRestored =
                new OutboxPump(
                        source,
                        Map.of(INDEX, receiver),
                        container ->
                                new ContainerNode() {
                                    @Override
                                    public long deliver(
                                            ContainerId to,
                                            ShardId from,
                                            long first,
                                            List<byte[]> messages) {
                                        return 0;
                                    }

                                    @Override
                                    public void refuseEpoch(int epoch) {
                                        throw new AssertionError();
                                    }

                                    @Override
                                    public List<ContainerId> containersWithOrphans(int epoch) {
                                        throw new AssertionError();
                                    }
                                });
        assertThat(toRestored.step()).isFalse();
        assertThat(source.entries).isZero();
        assertThat(toRestored.hasItems()).isTrue();
    }

    /** Applies calls of several threads; each container's lock is its own. */
    private static final class ManyHanded implements ContainerNode {
        private final Map<ContainerId, List<Integer>> applied = new ConcurrentHashMap<>();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger mostInside = new AtomicInteger();
        private final AtomicInteger calls = new AtomicInteger();
        private final CountDownLatch together;

        ManyHanded(int expectedTogether) {
            this.together = new CountDownLatch(expectedTogether);
        }

        @Override
        public List<Outcome> deliverTogether(ShardId from, List<Delivery> deliveries) {
            assertThat(deliveries).hasSizeBetween(1, MAX_TOGETHER);
            calls.incrementAndGet();
            mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
            try {
                together.countDown();
                assertThat(together.await(30, TimeUnit.SECONDS)).as("calls overlap").isTrue();
                return ContainerNode.super.deliverTogether(from, deliveries);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                inside.decrementAndGet();
            }
        }

        @Override
        public long deliver(ContainerId to, ShardId from, long first, List<byte[]> messages) {
            List<Integer> before = applied.computeIfAbsent(to, c -> new ArrayList<>());
            synchronized (before) {
                assertThat(first).as("in order").isEqualTo(before.size() + 1L);
                messages.forEach(message -> before.add((int) message[0]));
                return before.size();
            }
        }

        @Override
        public void refuseEpoch(int epoch) {
            throw new AssertionError();
        }

        @Override
        public List<ContainerId> containersWithOrphans(int epoch) {
            throw new AssertionError();
        }
    }

    @Test
    void streamsToOneNodeGoTogetherAndCallsBesideEachOtherEachStreamInOrder() {
        int streams = 4 * ContainerNode.MAX_TOGETHER;
        ManyHanded node = new ManyHanded(3);
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            OutboxPump parallel = new OutboxPump(source, Map.of(), c -> node, threads);
            for (int round = 0; round < 5; round++) {
                for (int c = 1; c <= streams; c++) {
                    source.send(container(c), 2 * round, 2 * round + 1);
                }
                assertThat(parallel.step()).isTrue();
                assertThat(parallel.hasItems()).isFalse();
            }
        }
        assertThat(node.mostInside.get()).isEqualTo(3);
        assertThat(node.calls.get()).as("64 streams a call").isEqualTo(5 * 4);
        for (int c = 1; c <= streams; c++) {
            assertThat(node.applied.get(new ContainerId(c)))
                    .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
    }

    @Test
    void oneContainerThatFailsHoldsUpNoneOfThoseThatGoWithIt() {
        receiver.down.add(new ContainerId(2));
        for (int c = 1; c <= 3; c++) {
            source.send(container(c), c);
        }
        assertThat(pump.step()).isTrue();
        assertThat(receiver.applied(new ContainerId(1))).containsExactly(1);
        assertThat(receiver.applied(new ContainerId(2))).isEmpty();
        assertThat(receiver.applied(new ContainerId(3))).containsExactly(3);
    }

    @Test
    void anErrorOnAnotherThreadIsTheStepsOwnAndNothingIsForgottenForIt() {
        source.send(container(1), 1);
        ContainerNode broken =
                new ContainerNode() {
                    @Override
                    public long deliver(
                            ContainerId to, ShardId from, long first, List<byte[]> messages) {
                        throw new StackOverflowError("planted");
                    }

                    @Override
                    public void refuseEpoch(int epoch) {
                        throw new AssertionError();
                    }

                    @Override
                    public List<ContainerId> containersWithOrphans(int epoch) {
                        throw new AssertionError();
                    }
                };
        ThreadFactory quiet =
                task -> {
                    Thread thread = new Thread(task);
                    thread.setUncaughtExceptionHandler((t, e) -> {});
                    return thread;
                };
        try (ExecutorService threads = Executors.newFixedThreadPool(2, quiet)) {
            OutboxPump parallel = new OutboxPump(source, Map.of(), c -> broken, threads);
            assertThatThrownBy(parallel::step).hasMessage("planted");
        }
        assertThat(source.entries).isZero();
        assertThat(pump.hasItems()).isTrue();
    }

    @Test
    void itemsOfOneEntryAreBounded() {
        for (int c = 1; c <= 5; c++) {
            source.send(container(c), new int[900]);
        }
        assertThat(pump.step()).isTrue();
        assertThat(source.entries).isEqualTo(3);
        assertThat(pump.hasItems()).isFalse();
    }
}
