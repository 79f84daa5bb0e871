package io.dedupstore.client.estimate;

import io.dedupstore.client.s3.S3Exception;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.chunking.GearTable;
import io.dedupstore.core.fingerprint.Fingerprinter;
import io.dedupstore.core.fingerprint.HashDriver;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.fingerprint.HmacKey;
import io.dedupstore.core.metadata.Body;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One estimate, from the listing to the figures.
 *
 * <p>The thread that calls {@link #run} lists and puts pieces into a bounded queue; workers of
 * their own read, cut and count. So memory is bounded by the samples, the workers' windows and the
 * queue, whatever the size of the data. {@link #stop}, from any thread, ends it early: what was
 * read until then is reported, as an estimate about just that.
 *
 * <p>An item that can't be read is counted and left out. A source that is gone altogether ends the
 * estimate; where something was read before, with what is known.
 *
 * <p>What a bucket does with small objects is done here too: up to {@link Body#MAX_INLINE_BYTES}
 * they are inline and not even read; in {@code cdc} up to {@link ChunkingSpec#SINGLE_CHUNK_LIMIT}
 * they are one chunk.
 */
public final class Estimation {
    private static final int QUEUE_PIECES = 512;

    /** Compressing is what costs most; it is bounded in bytes, but by enough chunks to tell. */
    private static final int COMPRESSED_BYTES = 1 << 30;

    private static final int LEAST_COMPRESSED_CHUNKS = 4096;
    private static final int MOST_COMPRESSED_CHUNKS = 16_384;
    private static final long POLL_MILLIS = 50;

    /** When so many items were tried and none could be read, none will be. */
    private static final int HOPELESS = 100;

    /**
     * The table and names of a dedup domain follow from its key, which stays in the store. Any key
     * cuts as well as any other; this one is only for estimates.
     */
    private static final byte[] KEY =
            "estimates only: no data is kept.".getBytes(StandardCharsets.US_ASCII);

    private final DataSet data;
    private final EstimateOptions options;
    private final List<SpecTally> tallies = new ArrayList<>();
    private final BlockingQueue<Piece> queue = new ArrayBlockingQueue<>(QUEUE_PIECES);
    private final List<Thread> workers = new CopyOnWriteArrayList<>();
    private final AtomicLong items = new AtomicLong();
    private final AtomicLong listedBytes = new AtomicLong();
    private final AtomicLong inlineBytes = new AtomicLong();
    private final AtomicLong wantedBytes = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();
    private final AtomicLong readPieces = new AtomicLong();
    private final AtomicLong skipped = new AtomicLong();
    private final AtomicReference<String> firstSkipped = new AtomicReference<>();
    private final AtomicReference<String> stopped = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean planning;
    private volatile boolean listed;
    private volatile Thread lister = Thread.currentThread();
    private boolean begun;

    public Estimation(DataSet data, EstimateOptions options) {
        this.data = data;
        this.options = options;
    }

    public Progress progress() {
        return new Progress(
                items.get(),
                listedBytes.get(),
                listed,
                wantedBytes.get(),
                readBytes.get(),
                planning);
    }

    /** Ends it early; at once, but for what the workers have in hand. */
    public void stop() {
        stop("interrupted");
    }

    /**
     * Can be called once.
     *
     * @throws IOException the data can't be listed
     * @throws S3Exception the data can't be listed
     * @throws EstimateException nothing could be read, or a worker failed
     */
    public Estimate run() throws IOException {
        if (begun) {
            throw new IllegalStateException("an estimation runs once");
        }
        begun = true;
        lister = Thread.currentThread();
        Sampling sampling = plan();
        for (ChunkingSpec spec : options.specs()) {
            tallies.add(
                    new SpecTally(
                            spec,
                            new DistinctSample(
                                    options.sampleChunks(),
                                    compressedChunks(spec),
                                    !sampling.isWhole())));
        }
        try (HashEngine engine = HashEngine.start(hashSettings())) {
            startWorkers(engine);
            try {
                list(sampling);
            } finally {
                listed = true;
                joinWorkers();
            }
        }
        checkFailures();
        return result(sampling);
    }

    /** As many as there are workers, since nothing else has work meanwhile. */
    private HashSettings hashSettings() {
        return new HashSettings(
                HashDriver.AUTO, Math.min(options.threads(), HashSettings.MAX_PRIMARIES));
    }

    private static int compressedChunks(ChunkingSpec spec) {
        int usual =
                switch (spec) {
                    case ChunkingSpec.Cdc cdc -> cdc.avg();
                    case ChunkingSpec.Fixed fixed -> fixed.size();
                };
        return Math.clamp(
                COMPRESSED_BYTES / usual, LEAST_COMPRESSED_CHUNKS, MOST_COMPRESSED_CHUNKS);
    }

    // ---- what to read ----

    /** A limit of bytes needs to know first how many there are. */
    private Sampling plan() throws IOException {
        if (options.maxBytes() == 0) {
            return new Sampling(options.share(), Sampling.USUAL_PIECE_BYTES, options.seed());
        }
        planning = true;
        long pieceBytes = Sampling.pieceBytesFor(options.maxBytes());
        PlanSink plan = new PlanSink(new Sampling(1, pieceBytes, options.seed()));
        try {
            data.list(plan);
        } catch (IOException | S3Exception e) {
            if (stopped.get() == null) {
                throw e;
            }
        }
        planning = false;
        items.set(0);
        listedBytes.set(0);
        double share = Sampling.shareFor(options.maxBytes(), plan.bytes, plan.squares);
        return new Sampling(share, pieceBytes, options.seed());
    }

    /** Sums up what would be read if all were. */
    private final class PlanSink implements DataSet.ItemSink {
        private final Sampling pieces;
        private double bytes;
        private double squares;

        PlanSink(Sampling pieces) {
            this.pieces = pieces;
        }

        @Override
        public boolean accept(DataItem item) {
            items.incrementAndGet();
            listedBytes.addAndGet(item.size());
            if (!isInline(item)) {
                pieces.lengths(
                        item,
                        length -> {
                            bytes += length;
                            squares += length * length;
                        });
            }
            return stopped.get() == null;
        }
    }

    private void list(Sampling sampling) throws IOException {
        try {
            data.list(new ChoosingSink(sampling));
        } catch (IOException | S3Exception e) {
            if (stopped.get() == null) {
                if (readBytes.get() == 0) {
                    stop("the listing failed");
                    throw e;
                }
                stop("the listing broke off: " + e.getMessage());
            }
        }
    }

    private final class ChoosingSink implements DataSet.ItemSink {
        private final Sampling sampling;

        ChoosingSink(Sampling sampling) {
            this.sampling = sampling;
        }

        @Override
        public boolean accept(DataItem item) throws IOException {
            items.incrementAndGet();
            listedBytes.addAndGet(item.size());
            if (isInline(item)) {
                inlineBytes.addAndGet(item.size());
                return stopped.get() == null;
            }
            return sampling.choose(item, this::enqueue);
        }

        private boolean enqueue(Piece piece) {
            wantedBytes.addAndGet(piece.length());
            try {
                while (stopped.get() == null) {
                    if (queue.offer(piece, POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                        return true;
                    }
                }
            } catch (InterruptedException e) {
                stop("interrupted");
            }
            return false;
        }

        @Override
        public void skipped(String why) {
            skip(why);
        }
    }

    private static boolean isInline(DataItem item) {
        return item.size() <= Body.MAX_INLINE_BYTES;
    }

    // ---- reading ----

    private void startWorkers(HashEngine engine) {
        GearTable gear = GearTable.derive(KEY);
        Fingerprinter fingerprinter = new Fingerprinter(engine, HmacKey.of(KEY));
        for (int i = 0; i < options.threads(); i++) {
            int number = i;
            workers.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("estimate-" + i)
                            .start(() -> work(gear, fingerprinter, number)));
        }
    }

    private void work(GearTable gear, Fingerprinter fingerprinter, int number) {
        try {
            ChunkScan scan = new ChunkScan(tallies, gear, fingerprinter, options.seed(), number);
            while (stopped.get() == null) {
                Piece piece = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (piece != null) {
                    read(piece, scan);
                } else if (listed && queue.isEmpty()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // Told to stop.
        } catch (RuntimeException | Error e) {
            if (Thread.interrupted() && stopped.get() != null) {
                // Told to stop, while waiting for digests.
                return;
            }
            failure.compareAndSet(null, e);
            stop("a worker failed");
        }
    }

    private void read(Piece piece, ChunkScan scan) {
        long from = ChunkScan.readFrom(piece);
        long to = ChunkScan.readTo(piece);
        try (InputStream in = data.open(piece.item(), from, to)) {
            scan.scan(new CountingStream(in, this::count), piece, () -> stopped.get() != null);
            readPieces.incrementAndGet();
        } catch (S3Exception e) {
            if (stopped.get() != null) {
                return;
            }
            skip(e.getMessage());
            if (e.code() == S3Exception.Code.UNREACHABLE
                    || e.code() == S3Exception.Code.NO_SUCH_BUCKET) {
                stop(e.getMessage());
            }
        } catch (IOException e) {
            if (stopped.get() == null) {
                skip(piece.item().name() + ": " + e);
            }
        }
    }

    private void count(int bytes) {
        long all = readBytes.addAndGet(bytes);
        if (options.maxBytes() > 0 && all > options.maxBytes()) {
            stop("the limit of bytes to read was reached");
        }
    }

    private void skip(String why) {
        firstSkipped.compareAndSet(null, why);
        if (skipped.incrementAndGet() >= HOPELESS && readBytes.get() == 0) {
            stop("nothing can be read");
        }
    }

    // ---- the end ----

    private void stop(String why) {
        if (stopped.compareAndSet(null, why)) {
            // Whoever waits for a server is woken up.
            for (Thread thread : workers) {
                if (thread != Thread.currentThread()) {
                    thread.interrupt();
                }
            }
            if (lister != Thread.currentThread() && !listed) {
                lister.interrupt();
            }
        }
    }

    private void joinWorkers() {
        boolean interrupted = Thread.interrupted();
        for (Thread worker : workers) {
            while (worker.isAlive()) {
                try {
                    worker.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    stop("interrupted");
                }
            }
        }
        if (interrupted && stopped.get() == null) {
            Thread.currentThread().interrupt();
        }
    }

    private void checkFailures() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new EstimateException(
                    EstimateException.Code.FAILED, "the estimate failed: " + cause, cause);
        }
        if (readBytes.get() == 0 && wantedBytes.get() > 0 && skipped.get() > 0) {
            throw new EstimateException(
                    EstimateException.Code.UNREADABLE,
                    "none of the data could be read: " + firstSkipped.get());
        }
        boolean empty = listedBytes.get() == inlineBytes.get();
        if (wantedBytes.get() == 0 && !empty && stopped.get() == null) {
            throw new EstimateException(
                    EstimateException.Code.BAD_OPTIONS,
                    "by chance nothing was chosen to be read; read a larger share");
        }
    }

    private Estimate result(Sampling sampling) {
        List<Estimate.Chunking> chunkings = new ArrayList<>();
        double chunkBytes = 0;
        for (SpecTally tally : tallies) {
            chunkBytes = chunkBytes(tally, sampling);
            chunkings.add(Figures.of(tally, chunkBytes, inlineBytes.get(), sampling.isWhole()));
        }
        long tallied = tallies.getLast().totals().allBytes();
        double share = chunkBytes == 0 ? 1 : Math.min(1, tallied / chunkBytes);
        return new Estimate(
                data.describe(),
                items.get(),
                Math.round(chunkBytes) + inlineBytes.get(),
                inlineBytes.get(),
                readBytes.get(),
                Figures.decimal(share, 6),
                readPieces.get(),
                skipped.get(),
                firstSkipped.get(),
                stopped.get(),
                options.seed(),
                chunkings);
    }

    /** Of what the figures are about; known from the listing where that went through. */
    private double chunkBytes(SpecTally tally, Sampling sampling) {
        double read = tally.totals().allBytes();
        if (sampling.isWhole()) {
            return read;
        }
        double all =
                stopped.get() == null
                        ? listedBytes.get() - inlineBytes.get()
                        : read / sampling.share();
        return Math.max(read, all);
    }
}
