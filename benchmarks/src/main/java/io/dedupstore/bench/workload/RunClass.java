package io.dedupstore.bench.workload;

/**
 * Runs that are alike. A family is a run of contents and all its copies; a class is families of the
 * same length and number of copies.
 *
 * @param firstContent of the first family; the next families' follow
 * @param length records of a run
 * @param repeated whether a run is one content over and over, not different ones in a row
 * @param families how many
 * @param copies runs of each family
 * @param recent whether a family's copies stand in one stretch
 */
record RunClass(
        long firstContent,
        int length,
        boolean repeated,
        long families,
        long copies,
        boolean recent) {

    /** What is dealt out over the stretches: whole families, or each run by itself. */
    long portions() {
        return recent ? families : runs();
    }

    long recordsOfPortion() {
        return recent ? copies * length : length;
    }

    long runs() {
        return families * copies;
    }

    /** The first content of a family's runs. */
    long contentOf(long family) {
        return firstContent + (repeated ? family : family * length);
    }
}
