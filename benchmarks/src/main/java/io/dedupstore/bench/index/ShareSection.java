package io.dedupstore.bench.index;

import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.core.object.DomainKeys;
import io.dedupstore.core.object.ObjectWriter;
import io.dedupstore.core.object.WriteTarget;
import io.dedupstore.core.object.WrittenBody;
import io.dedupstore.core.spi.ChunkIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What deduplication takes from the throughput of writing, where it gains nothing: objects of
 * records of 8 KiB that are all unique go through the product's writer, containers and metadata,
 * once with the index and once with none, which is how chunks are stored that an index has no room
 * for. Rounds take turns; each ends when its outboxes are empty and its tables in files.
 */
final class ShareSection {
    private static final int OBJECT_BYTES = 8 << 20;
    private static final int OBJECTS = 64;
    private static final int WARM_ROUNDS = 5;
    private static final int ROUNDS = 10;

    /** Every so many records the same one: 16.7 % of all. */
    private static final int HOT_EVERY = 6;

    private static final double MIN_SHARE_PERCENT = 80;
    private static final double MIN_HOT_PERCENT = 90;
    private static final long REQUEST_BYTES = 64L << 20;

    private final BenchNode node;
    private final RunningNode running;
    private final BenchOptions options;
    private final Report report;
    private final Bucket bucket;
    private final byte[] noise = new byte[OBJECT_BYTES];
    private final AtomicLong written = new AtomicLong();

    ShareSection(RunningNode running, BenchOptions options, Report report) {
        this.running = running;
        this.node = running.node();
        this.options = options;
        this.report = report;
        this.bucket =
                node.control()
                        .createBucket(
                                "share",
                                node.control().rootAccount().id(),
                                "fixed:8k",
                                "off",
                                "us-east-1");
        new SplittableRandom(5).nextBytes(noise);
    }

    /** An index that knows nothing and takes nothing: every chunk is its manifest's own. */
    private static final class NoIndex implements ChunkIndex {
        @Override
        public ShardId shardOf(Fingerprint fingerprint) {
            return BenchNode.INDEX;
        }

        @Override
        public List<Optional<ChunkAddress>> lookup(List<Fingerprint> fingerprints) {
            return Collections.nCopies(fingerprints.size(), Optional.empty());
        }

        @Override
        public boolean takesClaims(ShardId shard) {
            return true;
        }

        @Override
        public List<ClaimAnswer> claim(
                ShardId shard, V v, ShardId coordinator, List<ClaimItem> items) {
            return Collections.nCopies(items.size(), new ClaimAnswer.Unindexed());
        }
    }

    void run() {
        Report.Rows rows =
                report.table(
                        "writing of unique 8 KiB records, " + options.clients() + " clients",
                        "index",
                        "MB/s",
                        "records/s",
                        "CPU us each");
        try (HashEngine engine = HashEngine.start(HashSettings.defaults());
                WorkerPool hashPool =
                        new WorkerPool("hash", Runtime.getRuntime().availableProcessors())) {
            ObjectWriter with = writer(node.index(), engine, hashPool);
            ObjectWriter without = writer(new NoIndex(), engine, hashPool);
            for (int i = 0; i < WARM_ROUNDS; i++) {
                round(with, false);
                round(without, false);
                round(with, true);
            }
            Counters all = running.counters();
            Counters none = all.since(all);
            Counters real = none;
            Counters hot = none;
            for (int i = 0; i < ROUNDS; i++) {
                none = none.plus(round(without, false));
                real = real.plus(round(with, false));
                hot = hot.plus(round(with, true));
            }
            row(rows, "none", none);
            row(rows, "real", real);
            row(rows, "one hot", hot);
            report.atLeast(
                    "throughput with the index against none",
                    100 * none.seconds() / real.seconds(),
                    "%",
                    MIN_SHARE_PERCENT);
            report.atLeast(
                    "throughput with one hot content against none such",
                    100 * real.seconds() / hot.seconds(),
                    "%",
                    MIN_HOT_PERCENT);
        }
    }

    private static void row(Report.Rows rows, String name, Counters used) {
        double bytes = (double) ROUNDS * OBJECTS * OBJECT_BYTES;
        double records = bytes / Chunks.BYTES;
        rows.row(
                name,
                bytes / 1e6 / used.seconds(),
                records / used.seconds(),
                used.cpuSeconds() * 1e6 / records);
    }

    private ObjectWriter writer(ChunkIndex index, HashEngine engine, WorkerPool hashPool) {
        return new ObjectWriter(
                index,
                node.chunks(),
                node.metadata(),
                node.attempts(),
                new DomainKeys(engine, node.control()::domainKey),
                engine,
                hashPool,
                new BufferBudget(REQUEST_BYTES, Duration.ofSeconds(30)),
                System::nanoTime);
    }

    private Counters round(ObjectWriter writer, boolean hot) {
        Counters before = running.counters();
        AtomicLong left = new AtomicLong(OBJECTS);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < options.clients(); i++) {
                all.add(
                        threads.submit(
                                () -> {
                                    while (left.getAndDecrement() > 0) {
                                        writeObject(writer, hot);
                                    }
                                    return null;
                                }));
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
        node.drain();
        return running.counters().since(before);
    }

    private void writeObject(ObjectWriter writer, boolean hot) throws IOException {
        long number = written.incrementAndGet();
        ObjectKey key = ObjectKey.of("object-" + number);
        WriteTarget target =
                new WriteTarget(
                        bucket.id(),
                        key,
                        bucket.domain(),
                        ChunkingSpec.parse(bucket.chunking()),
                        ChunkCodec.OFF);
        WrittenBody body = writer.write(target, new Body(number, hot), OBJECT_BYTES, Set.of());
        node.metadata()
                .putObject(
                        bucket.id(),
                        key,
                        body.body(),
                        new MetadataService.VersionSpec(
                                "0".repeat(32),
                                ObjectAttributes.NONE,
                                List.of(),
                                Keeping.UNVERSIONED),
                        new Precondition.None());
    }

    /** Noise, each record of which is made unique by numbers at its beginning, but for hot ones. */
    private final class Body implements ByteSource {
        private final long number;
        private final boolean hot;
        private final byte[] head = new byte[2 * Long.BYTES];
        private int position;

        Body(long number, boolean hot) {
            this.number = number;
            this.hot = hot;
        }

        @Override
        public int read(ByteBuffer target) {
            if (position == OBJECT_BYTES) {
                return -1;
            }
            int in = position % Chunks.BYTES;
            boolean same = hot && position / Chunks.BYTES % HOT_EVERY == 0;
            if (in == 0) {
                ByteBuffer.wrap(head).putLong(same ? 0 : number).putLong(same ? 0 : position);
            }
            boolean inHead = in < head.length;
            int end = inHead ? head.length : Chunks.BYTES;
            int count = Math.min(end - in, target.remaining());
            target.put(inHead ? head : noise, inHead || same ? in : position, count);
            position += count;
            return count;
        }
    }
}
