package io.dedupstore.client.estimate;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.chunking.GearTable;
import io.dedupstore.core.chunking.ZeroChunks;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.fingerprint.Fingerprinter;
import io.dedupstore.core.model.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Cuts pieces in all wanted ways at once and feeds the samples: one window of bytes slides over the
 * input, and every spec has its own place in it. For one thread, which does all the work itself.
 *
 * <p>Most chunks cost a cut and a 64-bit hash that says whether the sample wants them; only those
 * are fingerprinted, and the new ones among them compressed.
 *
 * <p>A piece from the middle of an item is read from {@link #LEAD_BYTES} before it, so that the
 * cuts have fallen in step with those of the whole item when it begins, and to the end of the last
 * chunk that begins in it. So the pieces of an item share out its chunks.
 */
final class ChunkScan {
    /** Sixteen average chunks of the largest average. */
    static final long LEAD_BYTES = 4L << 20;

    private static final int WINDOW_BYTES = 4 << 20;
    private static final int TRANSFER_BYTES = 256 << 10;
    private static final int CUTS_AT_ONCE = 512;

    private final List<SpecTally> tallies;
    private final Chunker[] chunkers;
    private final Fingerprinter fingerprinter;
    private final long seed;
    private final int worker;
    private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES);
    private final ByteBuffer compressed =
            ByteBuffer.allocateDirect(
                    ChunkCodec.ZSTD.maxCompressedLength(ChunkingSpec.MAX_CHUNK_LENGTH));
    private final byte[] transfer = new byte[TRANSFER_BYTES];
    private final int[] lengths = new int[CUTS_AT_ONCE];
    private int pieces;

    /**
     * @param seed chooses which chunks are kept
     */
    ChunkScan(
            List<SpecTally> tallies,
            GearTable gear,
            Fingerprinter fingerprinter,
            long seed,
            int worker) {
        this.tallies = List.copyOf(tallies);
        this.chunkers =
                tallies.stream()
                        .map(tally -> Chunker.of(tally.spec(), gear))
                        .toArray(Chunker[]::new);
        this.fingerprinter = fingerprinter;
        this.seed = seed;
        this.worker = worker;
    }

    /** Where reading has to begin for a piece. */
    static long readFrom(Piece piece) {
        return Math.max(0, piece.from() - LEAD_BYTES);
    }

    /** Where reading has to end. */
    static long readTo(Piece piece) {
        return Math.min(piece.item().size(), piece.to() + ChunkingSpec.MAX_CHUNK_LENGTH);
    }

    /**
     * @param in the bytes from {@link #readFrom} to {@link #readTo}; may end early when the item
     *     has become shorter
     * @param stopped what was cut until then counts
     */
    void scan(InputStream in, Piece piece, BooleanSupplier stopped) throws IOException {
        new PieceScan(in, piece).run(stopped);
    }

    private final class PieceScan {
        private final InputStream in;
        private final Piece piece;
        private final Visit visit;

        /** Where the next chunk of each spec begins. */
        private final long[] next = new long[chunkers.length];

        private final long[] counted = new long[chunkers.length];

        private long windowFrom;
        private boolean ended;

        PieceScan(InputStream in, Piece piece) {
            this.in = in;
            this.piece = piece;
            this.visit = new Visit(worker, ++pieces, piece.group());
            this.windowFrom = readFrom(piece);
            Arrays.fill(next, windowFrom);
            window.clear();
        }

        void run(BooleanSupplier stopped) throws IOException {
            try {
                slide(stopped);
            } finally {
                for (int i = 0; i < counted.length; i++) {
                    tallies.get(i).addPiece(counted[i]);
                }
            }
        }

        private void slide(BooleanSupplier stopped) throws IOException {
            while (!stopped.getAsBoolean()) {
                fill();
                long needed = Long.MAX_VALUE;
                for (int i = 0; i < next.length; i++) {
                    cut(i);
                    if (next[i] < piece.to()) {
                        needed = Math.min(needed, next[i]);
                    }
                }
                if (ended || needed == Long.MAX_VALUE) {
                    return;
                }
                window.flip().position((int) (needed - windowFrom));
                window.compact();
                windowFrom = needed;
            }
        }

        private void fill() throws IOException {
            while (!ended && window.hasRemaining()) {
                int count = in.read(transfer, 0, Math.min(transfer.length, window.remaining()));
                if (count < 0) {
                    ended = true;
                } else {
                    window.put(transfer, 0, count);
                }
            }
        }

        private void cut(int i) {
            long windowTo = windowFrom + window.position();
            while (next[i] < piece.to() && next[i] < windowTo) {
                int from = (int) (next[i] - windowFrom);
                ByteBuffer view = window.slice(from, window.position() - from);
                int count = cuts(i, view);
                if (count == 0) {
                    return;
                }
                next[i] += tally(i, view, count);
            }
        }

        /**
         * Every end of input is the item's own: what is read beyond the piece is enough for its
         * last chunk.
         */
        private int cuts(int i, ByteBuffer view) {
            boolean single =
                    tallies.get(i).spec() instanceof ChunkingSpec.Cdc
                            && piece.item().size() <= ChunkingSpec.SINGLE_CHUNK_LIMIT;
            if (single) {
                lengths[0] = view.remaining();
                return 1;
            }
            return chunkers[i].cuts(view, ended, lengths);
        }

        /** Counts the chunks that begin in the piece; how many bytes all cuts make. */
        private long tally(int spec, ByteBuffer view, int count) {
            SpecTally tally = tallies.get(spec);
            List<ByteBuffer> wanted = new ArrayList<>();
            long[] hashes = new long[count];
            int offset = 0;
            int chunks = 0;
            long bytes = 0;
            for (int i = 0; i < count; i++) {
                long begin = next[spec] + offset;
                if (begin >= piece.from() && begin < piece.to()) {
                    ByteBuffer chunk = view.slice(offset, lengths[i]);
                    chunks++;
                    bytes += lengths[i];
                    if (ZeroChunks.isZero(chunk)) {
                        tally.addZero(piece.group(), lengths[i]);
                    } else {
                        long hash = hash(chunk);
                        if (tally.sample().wants(hash)) {
                            hashes[wanted.size()] = hash;
                            wanted.add(chunk);
                        }
                    }
                }
                offset += lengths[i];
            }
            tally.addChunks(piece.group(), chunks, bytes);
            counted[spec] += bytes;
            if (!wanted.isEmpty()) {
                keep(tally.sample(), wanted, hashes);
            }
            return offset;
        }

        private void keep(DistinctSample sample, List<ByteBuffer> wanted, long[] hashes) {
            List<Fingerprint> names = fingerprinter.fingerprints(wanted);
            for (int i = 0; i < names.size(); i++) {
                ByteBuffer chunk = wanted.get(i);
                if (sample.add(names.get(i), hashes[i], chunk.remaining(), visit)) {
                    int length = ChunkCodec.ZSTD.compress(chunk, compressed.clear());
                    sample.compressed(names.get(i), length < 0 ? chunk.remaining() : length);
                }
            }
        }
    }

    private long hash(ByteBuffer chunk) {
        byte[] sum = AtRestChecksum.XXHASH64.of(chunk);
        return Mix.mix(seed, ByteBuffer.wrap(sum).order(ByteOrder.LITTLE_ENDIAN).getLong());
    }
}
