package io.dedupstore.bench.index;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Clients that write objects of new chunks, as far as the index sees it: for each window a lookup
 * and a claim, then the commit's word to the index. Each answer is checked.
 *
 * <p>Clients are virtual threads, like requests of a server.
 */
final class Writers {
    /** Of an object, 8 MiB. */
    static final int OBJECT_CHUNKS = 1024;

    /** Chunks that a request has in memory at once, 2 MiB. */
    static final int WINDOW_CHUNKS = 256;

    private static final long UNPACED = 0;

    private final BenchNode node;
    private final int clients;
    private final int window;
    private final Latencies claims = new Latencies();
    private final AtomicLong next;

    /**
     * @param first number of the first chunk
     * @param window chunks of a claim
     */
    Writers(BenchNode node, long first, int clients, int window) {
        this.node = node;
        this.clients = clients;
        this.window = window;
        this.next = new AtomicLong(first);
    }

    /** Time of each claim, from its sending, or from when it was due, to its answer. */
    Latencies claims() {
        return claims;
    }

    /** The number of the first chunk not written. */
    long next() {
        return next.get();
    }

    /** Writes objects until the numbers reach {@code end}, or {@code stop}. */
    void writeUpTo(long end, BooleanSupplier stop) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(threads.submit(() -> client(end, stop)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void client(long end, BooleanSupplier stop) {
        while (!stop.getAsBoolean()) {
            long from = next.getAndUpdate(n -> Math.min(end, n + OBJECT_CHUNKS));
            if (from >= end) {
                return;
            }
            writeObject(from, (int) Math.min(OBJECT_CHUNKS, end - from), UNPACED, UNPACED);
        }
    }

    /**
     * Writes objects on the calling thread and others, so many chunks a second, until {@code stop}.
     * A claim's time counts from when it was due.
     */
    void writeAt(int chunksPerSecond, BooleanSupplier stop) {
        long interval = 1_000_000_000L * OBJECT_CHUNKS / chunksPerSecond;
        long due = System.nanoTime();
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            while (!stop.getAsBoolean()) {
                due += interval;
                long at = due;
                long from = next.getAndAdd(OBJECT_CHUNKS);
                LockSupport.parkNanos(at - System.nanoTime());
                all.add(threads.submit(() -> writeObject(from, OBJECT_CHUNKS, at, interval)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void writeObject(long from, int count, long due, long interval) {
        V v = node.attempts().get();
        ReferenceSum sum = ReferenceSum.ZERO;
        for (int done = 0; done < count; done += window) {
            int size = Math.min(window, count - done);
            long at = due + interval * done / OBJECT_CHUNKS;
            LockSupport.parkNanos(at - System.nanoTime());
            sum = sum.plus(writeWindow(v, from + done, size, interval == UNPACED ? UNPACED : at));
        }
        node.holders().send(new IndexMessage.Confirm(v, new Retained.All(sum)));
    }

    private ReferenceSum writeWindow(V v, long from, int size, long due) {
        List<ClaimItem> items = Chunks.items(from, size);
        List<Optional<ChunkAddress>> known =
                node.index().lookup(items.stream().map(ClaimItem::fingerprint).toList());
        require(known.stream().allMatch(Optional::isEmpty), "a new chunk was known");
        long start = due == UNPACED ? System.nanoTime() : due;
        List<ClaimAnswer> answers =
                node.index().claim(BenchNode.INDEX, v, BenchNode.METADATA, items);
        claims.add(System.nanoTime() - start);
        ReferenceSum sum = ReferenceSum.ZERO;
        for (int i = 0; i < size; i++) {
            ChunkAddress address = Chunks.address(from + i);
            require(
                    answers.get(i).equals(new ClaimAnswer.Own(address)),
                    "a new chunk was not taken: " + answers.get(i));
            sum = sum.plus(ReferenceSum.of(items.get(i).fingerprint(), address));
        }
        return sum;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
