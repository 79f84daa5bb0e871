package io.dedupstore.client.estimate;

import java.io.IOException;
import java.util.function.DoubleConsumer;

/**
 * Which pieces are read. Each is chosen by the hash of its name, independently of all others, so
 * that a second listing chooses the same ones and none has to be remembered.
 *
 * @param share probability of a piece to be read; 1 reads all, and cuts no item into pieces
 * @param pieceBytes length of the pieces of large items; a multiple of the longest chunk
 */
record Sampling(double share, long pieceBytes, long seed) {
    static final int GROUPS = 20;
    static final long USUAL_PIECE_BYTES = 64L << 20;
    private static final long LEAST_PIECE_BYTES = 16L << 20;
    private static final int WANTED_PIECES = 64;
    private static final double DEVIATIONS_OF_ROOM = 2;

    /** Takes pieces that are to be read. */
    @FunctionalInterface
    interface PieceSink {
        /**
         * @return whether more is wanted
         */
        boolean accept(Piece piece) throws IOException;
    }

    Sampling {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "the share to read must be above 0 and at most 1, not " + share);
        }
        if (pieceBytes <= 0 || pieceBytes % (1 << 20) != 0) {
            throw new IllegalArgumentException("pieces of " + pieceBytes + " bytes");
        }
    }

    static Sampling everything(long seed) {
        return new Sampling(1, USUAL_PIECE_BYTES, seed);
    }

    boolean isWhole() {
        return share == 1;
    }

    /** Shows the chosen pieces of an item. */
    boolean choose(DataItem item, PieceSink sink) throws IOException {
        long name = Mix.mix(seed, Mix.of(item.name()));
        long step = isWhole() ? item.size() : pieceBytes;
        for (long from = 0; from < item.size(); ) {
            long to = end(item, from, step);
            long hash = Mix.mix(name, from);
            int group = (int) Long.remainderUnsigned(hash, GROUPS);
            if (isChosen(hash) && !sink.accept(new Piece(item, from, to, group))) {
                return false;
            }
            from = to;
        }
        return true;
    }

    /** How much has to be read for each piece of an item. */
    void lengths(DataItem item, DoubleConsumer sink) {
        for (long from = 0; from < item.size(); ) {
            long to = end(item, from, pieceBytes);
            Piece piece = new Piece(item, from, to, 0);
            sink.accept(ChunkScan.readTo(piece) - ChunkScan.readFrom(piece));
            from = to;
        }
    }

    /** A remainder shorter than half a piece goes with the one before it. */
    private static long end(DataItem item, long from, long step) {
        return item.size() - from < step + step / 2 ? item.size() : from + step;
    }

    private boolean isChosen(long hash) {
        return isWhole() || (Mix.mix(hash) >>> 11) * 0x1p-53 < share;
    }

    static long pieceBytesFor(long maxBytes) {
        long wanted = maxBytes / WANTED_PIECES >> 20 << 20;
        return Math.clamp(wanted, LEAST_PIECE_BYTES, USUAL_PIECE_BYTES);
    }

    /**
     * The largest share with which two standard deviations above the expected number of bytes still
     * stay in the limit.
     *
     * @param bytes of all pieces, with what has to be read around them
     * @param squares sum of their squares
     */
    static double shareFor(long maxBytes, double bytes, double squares) {
        if (bytes <= maxBytes) {
            return 1;
        }
        // share·bytes + 2·sqrt(share·squares) = maxBytes, a quadratic equation in sqrt(share).
        double half = DEVIATIONS_OF_ROOM / 2 * Math.sqrt(squares);
        double root = (Math.sqrt(half * half + bytes * maxBytes) - half) / bytes;
        return root * root;
    }
}
