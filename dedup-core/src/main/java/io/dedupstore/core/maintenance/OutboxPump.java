package io.dedupstore.core.maintenance;

import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.spi.ContainerNode;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the outboxes of one shard: reads the oldest items of a stream, hands them over, and only
 * then has the shard forget them. The position of a stream is the shard's and the receiver's, never
 * this object's, so it may stop anywhere and be replaced at any time: what is delivered twice is
 * passed over by its sequence number.
 *
 * <p>Streams take turns: each step goes on behind the last stream of the one before, so that many
 * streams that fail hold up no other. A stream that failed is left out for a few steps, longer each
 * time. What was delivered in a step is forgotten in as few entries as it takes.
 *
 * <p>Each stream has one delivery a step, so its order is kept. Streams to containers of one node
 * go together, many to a call, because a node makes a call durable with one sync; calls run beside
 * each other on the executor. Memory is bounded by its threads: a call holds about {@link
 * #MAX_BYTES_TOGETHER}.
 *
 * <p>One thread at a time; two pumps on one shard do no harm but waste. Everything but reading and
 * delivering happens on the thread of the step. An executor that runs what it is given at once
 * makes the whole pump run there, in the order of streams.
 */
public final class OutboxPump {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxPump.class);
    private static final int MAX_STREAMS_PER_STEP = 1024;
    private static final int MAX_ITEMS_PER_RUN = 1000;
    private static final int MAX_ITEMS_PER_ENTRY = 1500;
    private static final int MAX_STEPS_LEFT_OUT = 8;
    private static final long MAX_BYTES_TOGETHER = 1 << 20;

    private final OutboxShard source;
    private final Map<ShardId, ? extends IndexShard> indexShards;
    private final Function<ContainerId, ContainerNode> nodes;
    private final Executor executor;
    private final Map<Destination, Failure> failures = new HashMap<>();
    private final Map<ShardId, Integer> windows = new ConcurrentHashMap<>();
    private final List<StreamPosition> applied = new ArrayList<>();
    private long appliedItems;
    private long steps;
    private @Nullable Destination last;

    /**
     * Of a stream that failed.
     *
     * @param times in a row
     * @param nextStep when it is tried again
     */
    private record Failure(int times, long nextStep) {}

    /** What came of one stream's turn. */
    private sealed interface Result {
        record Delivered(Destination stream, long first, long upTo) implements Result {}

        record Nothing(Destination stream) implements Result {}

        record Failed(Destination stream, RuntimeException cause) implements Result {}
    }

    /** Delivers on the thread of the step. */
    public OutboxPump(
            OutboxShard source,
            Map<ShardId, ? extends IndexShard> indexShards,
            Function<ContainerId, ContainerNode> nodes) {
        this(source, indexShards, nodes, Runnable::run);
    }

    /**
     * @param nodes where a container is
     * @param executor runs deliveries; bounded, and of platform threads
     */
    public OutboxPump(
            OutboxShard source,
            Map<ShardId, ? extends IndexShard> indexShards,
            Function<ContainerId, ContainerNode> nodes,
            Executor executor) {
        this.source = source;
        this.indexShards = Map.copyOf(indexShards);
        this.nodes = nodes;
        this.executor = executor;
    }

    /**
     * Delivers one run of the streams whose turn it is. A stream that cannot be delivered now keeps
     * its items.
     *
     * @return whether anything was delivered
     */
    public boolean step() {
        steps++;
        Turn turn = new Turn();
        try {
            for (Supplier<List<Result>> call : calls(next())) {
                turn.start(call);
                turn.takeFinished();
            }
        } finally {
            turn.awaitAll();
            acknowledge();
        }
        return turn.progress;
    }

    private List<Destination> next() {
        List<Destination> streams = source.readyStreams(last, MAX_STREAMS_PER_STEP);
        if (streams.isEmpty() && last != null) {
            streams = source.readyStreams(null, MAX_STREAMS_PER_STEP);
        }
        last = streams.size() < MAX_STREAMS_PER_STEP ? null : streams.getLast();
        return streams.stream().filter(stream -> !isLeftOut(stream)).toList();
    }

    private boolean isLeftOut(Destination stream) {
        Failure before = failures.get(stream);
        return before != null && before.nextStep() > steps;
    }

    /** What one step hands over in one go each. */
    private List<Supplier<List<Result>>> calls(List<Destination> streams) {
        List<Supplier<List<Result>>> calls = new ArrayList<>();
        Map<ContainerNode, List<Destination>> ofNodes = new IdentityHashMap<>();
        for (Destination stream : streams) {
            switch (stream) {
                case Destination.Shard(ShardId shard) ->
                        calls.add(() -> List.of(toShard(stream, shard)));
                case Destination.Container(ContainerId container) -> {
                    ContainerNode node = nodes.apply(container);
                    List<Destination> together =
                            ofNodes.computeIfAbsent(node, n -> new ArrayList<>());
                    together.add(stream);
                    if (together.size() == ContainerNode.MAX_TOGETHER) {
                        ofNodes.remove(node);
                        calls.add(() -> toContainers(node, together));
                    }
                }
            }
        }
        ofNodes.forEach((node, rest) -> calls.add(() -> toContainers(node, rest)));
        return calls;
    }

    /** The calls of one step, as they begin and end. */
    private final class Turn {
        private final BlockingQueue<List<Result>> finished = new LinkedBlockingQueue<>();
        private final AtomicReference<@Nullable Error> error = new AtomicReference<>();
        private int running;
        private boolean progress;

        void start(Supplier<List<Result>> call) {
            running++;
            try {
                executor.execute(() -> run(call));
            } catch (RejectedExecutionException e) {
                running--;
                throw e;
            }
        }

        private void run(Supplier<List<Result>> call) {
            List<Result> results = List.of();
            try {
                results = call.get();
            } catch (Error e) {
                error.compareAndSet(null, e);
                throw e;
            } finally {
                finished.add(results);
            }
        }

        void takeFinished() {
            for (List<Result> results = finished.poll();
                    results != null;
                    results = finished.poll()) {
                took(results);
            }
        }

        /** An interrupt is kept for later: deliveries end by themselves. */
        void awaitAll() {
            boolean interrupted = false;
            RuntimeException failure = null;
            while (running > 0) {
                try {
                    took(finished.take());
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (RuntimeException e) {
                    failure = e;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Error fatal = error.get();
            if (fatal != null) {
                throw fatal;
            }
            if (failure != null) {
                throw failure;
            }
        }

        private void took(List<Result> results) {
            running--;
            for (Result result : results) {
                switch (result) {
                    case Result.Nothing(Destination stream) -> failures.remove(stream);
                    case Result.Failed(Destination stream, RuntimeException cause) ->
                            failed(stream, cause);
                    case Result.Delivered(Destination stream, long first, long upTo) -> {
                        failures.remove(stream);
                        progress = true;
                        applied(stream, first, upTo);
                    }
                }
            }
        }
    }

    private void failed(Destination stream, RuntimeException cause) {
        Failure before = failures.get(stream);
        int times = before == null ? 1 : before.times() + 1;
        failures.put(stream, new Failure(times, steps + Math.min(times, MAX_STEPS_LEFT_OUT)));
        // A log line for 1, 2, 4, 8 ... times.
        if (Integer.bitCount(times) == 1) {
            LOG.warn(
                    "{} could not deliver to {}, {} times in a row; it tries again",
                    source.id(),
                    stream,
                    times,
                    cause);
        }
    }

    private void applied(Destination stream, long first, long upTo) {
        applied.add(new StreamPosition(stream, upTo));
        appliedItems += upTo - first + 1;
        if (applied.size() == StreamPosition.MAX_STREAMS || appliedItems >= MAX_ITEMS_PER_ENTRY) {
            acknowledge();
        }
    }

    // ---- on the executor's threads ----

    /**
     * In commands of as many items as the shard has shown to apply at once: it bounds the rows of a
     * command, and what it leaves over was in the log for nothing.
     */
    private Result toShard(Destination stream, ShardId shard) {
        OutboxShard.Run run;
        try {
            run = source.read(stream, MAX_ITEMS_PER_RUN);
        } catch (RuntimeException e) {
            return new Result.Failed(stream, e);
        }
        int items = run.messages().size();
        int window = windows.getOrDefault(shard, MAX_ITEMS_PER_RUN);
        int done = 0;
        while (done < items) {
            int count = Math.min(window, items - done);
            long first = run.firstSequence() + done;
            long upTo;
            try {
                upTo =
                        indexShard(shard)
                                .deliver(
                                        source.id(),
                                        first,
                                        run.messages().subList(done, done + count));
            } catch (RuntimeException e) {
                return done == 0 ? new Result.Failed(stream, e) : delivered(stream, run, first - 1);
            }
            int took = (int) Math.min(count, upTo - first + 1);
            if (took <= 0) {
                return delivered(stream, run, upTo);
            }
            window = took < count ? took : Math.min(MAX_ITEMS_PER_RUN, 2 * window);
            done += took;
        }
        windows.put(shard, window);
        return items == 0
                ? new Result.Nothing(stream)
                : delivered(stream, run, run.firstSequence() + items - 1);
    }

    /** In as many calls as their bytes need. */
    private List<Result> toContainers(ContainerNode node, List<Destination> streams) {
        List<Result> results = new ArrayList<>();
        Map<Destination, OutboxShard.Run> runs = new LinkedHashMap<>();
        long bytes = 0;
        for (Destination stream : streams) {
            OutboxShard.Run run;
            try {
                run = source.read(stream, MAX_ITEMS_PER_RUN);
            } catch (RuntimeException e) {
                results.add(new Result.Failed(stream, e));
                continue;
            }
            if (run.messages().isEmpty()) {
                results.add(new Result.Nothing(stream));
                continue;
            }
            runs.put(stream, run);
            bytes += run.messages().stream().mapToLong(message -> message.length).sum();
            if (bytes >= MAX_BYTES_TOGETHER) {
                results.addAll(handOver(node, runs));
                runs.clear();
                bytes = 0;
            }
        }
        results.addAll(handOver(node, runs));
        return results;
    }

    private List<Result> handOver(ContainerNode node, Map<Destination, OutboxShard.Run> runs) {
        if (runs.isEmpty()) {
            return List.of();
        }
        List<Destination> streams = List.copyOf(runs.keySet());
        List<ContainerNode.Delivery> deliveries = new ArrayList<>();
        runs.forEach(
                (stream, run) ->
                        deliveries.add(
                                new ContainerNode.Delivery(
                                        ((Destination.Container) stream).container(),
                                        run.firstSequence(),
                                        run.messages())));
        List<ContainerNode.Outcome> outcomes;
        try {
            outcomes = node.deliverTogether(source.id(), deliveries);
        } catch (RuntimeException e) {
            return streams.stream().<Result>map(s -> new Result.Failed(s, e)).toList();
        }
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            Destination stream = streams.get(i);
            results.add(
                    switch (outcomes.get(i)) {
                        case ContainerNode.Outcome.Applied(long upTo) ->
                                delivered(stream, runs.get(stream), upTo);
                        case ContainerNode.Outcome.Failed(RuntimeException cause) ->
                                new Result.Failed(stream, cause);
                    });
        }
        return results;
    }

    private static Result delivered(Destination stream, OutboxShard.Run run, long receiverUpTo) {
        long lastItem = run.firstSequence() + run.messages().size() - 1;
        long upTo = Math.min(lastItem, receiverUpTo);
        if (upTo < run.firstSequence()) {
            return new Result.Failed(
                    stream,
                    new IllegalStateException(
                            "%s has applied up to %d only, and %d is the oldest item there is: restored from an old copy?"
                                    .formatted(stream, upTo, run.firstSequence())));
        }
        return new Result.Delivered(stream, run.firstSequence(), upTo);
    }

    private IndexShard indexShard(ShardId shard) {
        IndexShard found = indexShards.get(shard);
        if (found == null) {
            throw new IllegalStateException("no index shard " + shard);
        }
        return found;
    }

    // ---- on the thread of the step ----

    private void acknowledge() {
        if (!applied.isEmpty()) {
            List<StreamPosition> positions = List.copyOf(applied);
            applied.clear();
            appliedItems = 0;
            source.acknowledge(positions);
        }
    }

    /** Whether something waits to be delivered. */
    public boolean hasItems() {
        return !source.readyStreams(null, 1).isEmpty();
    }
}
