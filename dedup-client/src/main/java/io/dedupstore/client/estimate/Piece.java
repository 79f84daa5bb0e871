package io.dedupstore.client.estimate;

/**
 * What is read or left out as a whole: an item, or a range of a large one. The chunks that begin in
 * it belong to it.
 *
 * @param group which of the {@link Sampling#GROUPS} groups it is in, by chance
 */
record Piece(DataItem item, long from, long to, int group) {
    Piece {
        if (from < 0 || from >= to || to > item.size()) {
            throw new IllegalArgumentException("piece " + from + " to " + to + " of " + item);
        }
    }

    long length() {
        return to - from;
    }
}
