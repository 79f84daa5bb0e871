package io.dedupstore.client.estimate;

import java.util.Arrays;

/**
 * A distinct chunk of the sample. Where only a part of the data is read, it also knows in how many
 * pieces it was seen, and the first few of them. Guarded by its {@link DistinctSample}.
 */
final class SampledChunk {
    /** Deleting a group takes a chunk seen in more pieces than that from few to fewer, rarely. */
    static final int KNOWN_PIECES = 4;

    private static final int NOT_COMPRESSED = -1;

    final long hash;
    final int length;
    private int compressed = NOT_COMPRESSED;
    private int pieces;
    private long[] known = {};
    private int[] lastPieces = {};

    SampledChunk(long hash, int length) {
        this.hash = hash;
        this.length = length;
    }

    void compressed(int bytes) {
        compressed = bytes;
    }

    void forgetCompressed() {
        compressed = NOT_COMPRESSED;
    }

    boolean isCompressed() {
        return compressed != NOT_COMPRESSED;
    }

    int compressedLength() {
        return compressed;
    }

    /** A worker reads one piece at a time: comparing with its last one counts each piece once. */
    void seenBy(Visit visit) {
        if (visit.worker() >= lastPieces.length) {
            lastPieces = Arrays.copyOf(lastPieces, visit.worker() + 1);
        }
        if (lastPieces[visit.worker()] == visit.piece()) {
            return;
        }
        lastPieces[visit.worker()] = visit.piece();
        if (pieces < KNOWN_PIECES) {
            known = Arrays.copyOf(known, pieces + 1);
            known[pieces] = visit.id();
        }
        pieces++;
    }

    /** How many of the pieces read have it. */
    int pieces() {
        return pieces;
    }

    /** How many are left without those of a group. */
    int piecesWithout(int group) {
        int left = pieces;
        for (long piece : known) {
            left -= Visit.groupOf(piece) == group ? 1 : 0;
        }
        return left;
    }

    /** Ids of the first pieces; shared, never to be written. */
    long[] known() {
        return known;
    }

    /** Groups of the first pieces, each once. */
    int[] groups() {
        return Arrays.stream(known).mapToInt(Visit::groupOf).distinct().toArray();
    }
}
