package io.dedupstore.bench.workload;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A plan with exactly the duplicates asked for, found out for any record without those before it.
 *
 * <p>The records are divided into stretches. Every {@link RunClass} deals its portions out evenly:
 * stretch e of n gets those from {@code (e·portions + phase) / n} to the same for e + 1. A portion
 * of a recent class is a family, whose copies so stand in one stretch; of another class it is a run
 * whose place in a {@link Permutation} of all runs says whose copy it is. Unique records are dealt
 * out likewise. What a stretch got it shuffles. A stretch's beginning is the sum of what was dealt
 * before, so stretches differ a little in length and nothing is ever rounded away.
 *
 * <p>A stretch is laid out when first asked for, which costs about as much as generating one record
 * in fifty of it; the last few are kept. Threads may lay out the same one twice, to the same
 * result. Memory beyond that: eight bytes a stretch.
 */
final class StretchPlan implements RecordPlan {
    /** The first bits of a content's number say where it comes from. */
    static final int KIND_SHIFT = 56;

    /** Contents of duplicates are numbered from here; a unique record's is the record's number. */
    static final long DUPLICATED = 1L << KIND_SHIFT;

    private static final int KEPT = 16;
    private static final long SHUFFLE_KEY = 1;
    private static final long CLASS_KEY = 2;

    private final long seed;
    private final RunClass[] classes;
    private final Permutation[] spread;
    private final long[] phases;
    private final long unique;
    private final int stretches;

    /** First record of each stretch, and the number of records. */
    private final long[] starts;

    private final AtomicReferenceArray<Stretch> kept = new AtomicReferenceArray<>(KEPT);

    private record Stretch(int number, long start, long[] contents) {}

    StretchPlan(long seed, long records, DuplicateDistribution distribution, Locality locality) {
        List<RunClass> made =
                RunClasses.of(Multiplicities.of(distribution, records), locality, DUPLICATED);
        this.seed = seed;
        this.classes = made.toArray(new RunClass[0]);
        this.stretches = (int) Math.max(1, records / locality.stretchRecords());
        this.spread = new Permutation[classes.length];
        this.phases = new long[classes.length];
        long duplicated = 0;
        for (int i = 0; i < classes.length; i++) {
            long key = Mixing.key(seed, Mixing.key(CLASS_KEY, i));
            spread[i] = new Permutation(classes[i].runs(), key);
            phases[i] = Math.unsignedMultiplyHigh(Mixing.mix(key), stretches);
            duplicated += classes[i].runs() * classes[i].length();
        }
        this.unique = records - duplicated;
        this.starts = new long[stretches + 1];
        for (int stretch = 0; stretch <= stretches; stretch++) {
            starts[stretch] = startOf(stretch);
        }
    }

    @Override
    public long content(long record) {
        int number = stretchOf(record);
        Stretch stretch = kept.get(number % KEPT);
        if (stretch == null || stretch.number != number) {
            stretch = new Stretch(number, starts[number], layOut(number));
            kept.set(number % KEPT, stretch);
        }
        return stretch.contents[(int) (record - stretch.start)];
    }

    private int stretchOf(long record) {
        // Lengths differ little, so the guess is off by few.
        int guess = (int) (record * stretches / starts[stretches]);
        while (record < starts[guess]) {
            guess--;
        }
        while (record >= starts[guess + 1]) {
            guess++;
        }
        return guess;
    }

    private long startOf(int stretch) {
        long start = dealt(unique, 0, stretch);
        for (int i = 0; i < classes.length; i++) {
            start +=
                    dealt(classes[i].portions(), phases[i], stretch)
                            * classes[i].recordsOfPortion();
        }
        return start;
    }

    /** How many of the portions went to the stretches before this one. */
    private long dealt(long portions, long phase, int stretch) {
        return (portions * stretch + phase) / stretches;
    }

    private long[] layOut(int stretch) {
        Items items = new Items((int) (starts[stretch + 1] - starts[stretch]));
        for (int i = 0; i < classes.length; i++) {
            RunClass runs = classes[i];
            long from = dealt(runs.portions(), phases[i], stretch);
            long to = dealt(runs.portions(), phases[i], stretch + 1);
            for (long portion = from; portion < to; portion++) {
                if (runs.recent()) {
                    for (int copy = 0; copy < runs.copies(); copy++) {
                        items.add(runs.contentOf(portion), runs);
                    }
                } else {
                    items.add(runs.contentOf(spread[i].apply(portion) / runs.copies()), runs);
                }
            }
        }
        long singles = dealt(unique, 0, stretch + 1) - dealt(unique, 0, stretch);
        for (long single = 0; single < singles; single++) {
            items.addUnique();
        }
        items.shuffle(new Draw(Mixing.key(seed, Mixing.key(SHUFFLE_KEY, stretch))));
        return items.contents(starts[stretch]);
    }

    /** Runs and unique records of one stretch. */
    private static final class Items {
        private final long[] first;
        private final int[] length;
        private final boolean[] repeated;
        private int count;

        Items(int most) {
            this.first = new long[most];
            this.length = new int[most];
            this.repeated = new boolean[most];
        }

        void add(long firstContent, RunClass runs) {
            first[count] = firstContent;
            length[count] = runs.length();
            repeated[count++] = runs.repeated();
        }

        void addUnique() {
            length[count++] = 0;
        }

        void shuffle(Draw draw) {
            for (int i = count - 1; i > 0; i--) {
                int other = (int) draw.below(i + 1L);
                long content = first[i];
                int records = length[i];
                boolean same = repeated[i];
                first[i] = first[other];
                length[i] = length[other];
                repeated[i] = repeated[other];
                first[other] = content;
                length[other] = records;
                repeated[other] = same;
            }
        }

        long[] contents(long start) {
            long[] contents = new long[first.length];
            int at = 0;
            for (int i = 0; i < count; i++) {
                if (length[i] == 0) {
                    contents[at] = start + at;
                    at++;
                }
                for (int j = 0; j < length[i]; j++) {
                    contents[at++] = first[i] + (repeated[i] ? 0 : j);
                }
            }
            return contents;
        }
    }
}
