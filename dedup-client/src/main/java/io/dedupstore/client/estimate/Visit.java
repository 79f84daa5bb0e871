package io.dedupstore.client.estimate;

/**
 * A worker's stay in a piece.
 *
 * @param worker from 0
 * @param piece number among those of the worker, from 1
 */
record Visit(int worker, int piece, int group) {
    /** Of the piece, unlike that of any other; the group can be taken from it. */
    long id() {
        return ((long) piece * EstimateOptions.MAX_THREADS + worker) * Sampling.GROUPS + group;
    }

    static int groupOf(long id) {
        return (int) (id % Sampling.GROUPS);
    }
}
