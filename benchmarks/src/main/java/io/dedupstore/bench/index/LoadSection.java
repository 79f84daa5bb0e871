package io.dedupstore.bench.index;

import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.maintenance.PruneChoice;
import io.dedupstore.core.maintenance.PrunePlan;
import io.dedupstore.core.maintenance.Pruner;
import io.dedupstore.core.maintenance.RatePacer;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.V;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What pruning, shrinking and deleting very much do to those who write meanwhile. Writers send at a
 * fixed rate, well below what the index can do, and a claim's time counts from when it was due, so
 * that what waits behind a stall counts too.
 */
final class LoadSection {
    private static final int CHUNKS_PER_SECOND = 10_000;
    private static final Duration QUIET = Duration.ofSeconds(30);
    private static final Duration MOST = Duration.ofSeconds(60);
    private static final double PRUNED_PERCENT = 20;
    private static final long MAX_RELEASED = 2_000_000;

    // The server's defaults.
    private static final long PRUNED_PER_SECOND = 100_000;
    private static final long SHRUNK_BYTES_PER_SECOND = 64L << 20;
    private static final long MAX_RELEASES_WAITING =
            1_000_000 / IndexMessage.Release.MAX_REFERENCES;

    private static final double MAX_PERCENT_OF_QUIET = 110;

    private final BenchNode node;
    private final Report report;
    private long next;
    private Report.Rows rows;
    private double quietP99;

    LoadSection(BenchNode node, Report report, long entries) {
        this.node = node;
        this.report = report;
        this.next = entries;
    }

    /** Something that goes on beside the writers; returns what it got done. */
    private interface Disturbance {
        long run(BooleanSupplier stop) throws InterruptedException;
    }

    /** Returns the number of the first chunk not written. */
    long run(long entries) throws InterruptedException {
        rows =
                report.table(
                        "claims of %d of %,d new chunks a second while the index is busy"
                                .formatted(Writers.WINDOW_CHUNKS, CHUNKS_PER_SECOND),
                        "beside",
                        "done",
                        "seconds",
                        "done/s",
                        "claims",
                        "p50 ms",
                        "p99 ms",
                        "p99.9 ms",
                        "p99 % quiet");
        node.drain();
        node.awaitCompaction();
        phase("nothing", LoadSection::rest);
        long released = Math.min(MAX_RELEASED, entries / 5);
        phase("delete", stop -> release(entries - released, released, stop));
        phase("prune", this::prune);
        phase("shrink", this::shrink);
        node.drain();
        if (!node.shard().statistics().audit().balanced()) {
            throw new IllegalStateException("the books of the shard are not balanced");
        }
        return next;
    }

    private void phase(String name, Disturbance beside) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Writers writers = new Writers(node, next, 1, Writers.WINDOW_CHUNKS);
        Thread pace =
                Thread.ofPlatform()
                        .name("writers")
                        .start(() -> writers.writeAt(CHUNKS_PER_SECOND, over::get));
        long start = System.nanoTime();
        long end = start + MOST.toNanos();
        long done = beside.run(() -> System.nanoTime() > end);
        double seconds = (System.nanoTime() - start) / 1e9;
        over.set(true);
        pace.join();
        next = writers.next();
        double p99 = writers.claims().millis(0.99);
        if (quietP99 == 0) {
            quietP99 = p99;
        }
        rows.row(
                name,
                done,
                seconds,
                done / seconds,
                writers.claims().count(),
                writers.claims().millis(0.5),
                p99,
                writers.claims().millis(0.999),
                100 * p99 / quietP99);
        if (!name.equals("nothing")) {
            report.atMost(
                    "p99 of claims during " + name + " against quiet",
                    100 * p99 / quietP99,
                    "%",
                    MAX_PERCENT_OF_QUIET);
        }
        node.settle();
    }

    private static long rest(BooleanSupplier stop) throws InterruptedException {
        Thread.sleep(QUIET.toMillis());
        return 0;
    }

    /** Holders give their references up; done when the index has freed every chunk. */
    private long release(long from, long count, BooleanSupplier stop) throws InterruptedException {
        long sent = 0;
        while (sent < count && !stop.getAsBoolean()) {
            while (node.holders().waiting() >= MAX_RELEASES_WAITING && !stop.getAsBoolean()) {
                Thread.sleep(5);
            }
            int size = (int) Math.min(IndexMessage.Release.MAX_REFERENCES, count - sent);
            List<ChunkReference> references = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                long n = from + sent + i;
                references.add(new ChunkReference(Chunks.fingerprint(n), Chunks.address(n)));
            }
            V holder = node.attempts().get();
            node.holders().send(new IndexMessage.Release(holder, references));
            sent += size;
        }
        while (!stop.getAsBoolean()
                && (node.holders().waiting() > 0 || node.shard().statistics().zombies() > 0)) {
            Thread.sleep(20);
        }
        long undone = node.holders().waiting() * IndexMessage.Release.MAX_REFERENCES;
        return Math.max(0, sent - node.shard().statistics().zombies() - undone);
    }

    /** At the server's usual rate. */
    private long prune(BooleanSupplier stop) {
        IndexShardClient patient =
                new IndexShardClient(BenchNode.INDEX, node.indexGroup().patient());
        Pruner pruner = new Pruner(List.of(patient), stop);
        PrunePlan plan = pruner.plan(new PruneChoice.Percent(PRUNED_PERCENT));
        RatePacer pacer = new RatePacer(PRUNED_PER_SECOND);
        AtomicLong before = new AtomicLong();
        return pruner.prune(
                        plan,
                        (entries, bytes) -> {
                            long gone = entries - before.getAndSet(entries);
                            LockSupport.parkNanos(pacer.spend(gone, System.nanoTime()));
                        })
                .entries();
    }

    /** At the server's usual rate. */
    private long shrink(BooleanSupplier stop) {
        AtomicLong bytes = new AtomicLong();
        node.indexGroup().capFileRate(SHRUNK_BYTES_PER_SECOND);
        try {
            node.files()
                    .compact(
                            node.tables(),
                            (done, total) -> {
                                bytes.set(done);
                                return !stop.getAsBoolean();
                            });
        } finally {
            node.indexGroup().capFileRate(Long.MAX_VALUE);
        }
        return bytes.get();
    }
}
