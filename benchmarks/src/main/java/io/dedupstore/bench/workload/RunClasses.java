package io.dedupstore.bench.workload;

import io.dedupstore.bench.workload.Multiplicities.Multiplicity;
import java.util.ArrayList;
import java.util.List;

/** Groups contents into runs, so that the mean run is what was asked. */
final class RunClasses {
    /** The longest run beside the mean one. */
    private static final int TAIL = 8;

    /** A family that fills more of a stretch than this is spread over all of them. */
    private static final int STRETCH_PARTS = 2;

    private static final int BISECTIONS = 60;

    private final Locality locality;

    /** Shares of runs by the logarithm of their length; the shares' sum is 1. */
    private final double[] shares;

    private final List<RunClass> classes = new ArrayList<>();
    private long nextContent;

    private RunClasses(Locality locality, long firstContent) {
        this.locality = locality;
        this.shares = shares(locality.meanRun());
        this.nextContent = firstContent;
    }

    static List<RunClass> of(
            List<Multiplicity> multiplicities, Locality locality, long firstContent) {
        RunClasses result = new RunClasses(locality, firstContent);
        for (Multiplicity multiplicity : multiplicities) {
            if (multiplicity.copies() > DuplicateDistribution.HOT_DUPLICATES) {
                result.addHot(multiplicity);
            } else {
                result.add(multiplicity);
            }
        }
        return List.copyOf(result.classes);
    }

    /** Contents as common as zeros stand everywhere, some of them in a row. */
    private void addHot(Multiplicity hot) {
        int length = (int) Math.min(hot.copies(), Math.round(locality.meanRun()));
        int rest = (int) (hot.copies() % length);
        long first = nextContent;
        classes.add(
                new RunClass(first, length, true, hot.contents(), hot.copies() / length, false));
        if (rest > 0) {
            classes.add(new RunClass(first, rest, true, hot.contents(), 1, false));
        }
        nextContent += hot.contents();
    }

    private void add(Multiplicity multiplicity) {
        long left = multiplicity.contents();
        double owed = 0;
        for (int log = shares.length - 1; log >= 0; log--) {
            int length = 1 << log;
            owed += multiplicity.contents() * shares[log] * length / locality.meanRun();
            // Rounded, and what that takes too much or too little settled with the shorter runs.
            long families =
                    log == 0 ? left : Math.clamp(Math.round(owed / length), 0, left / length);
            owed -= families * length;
            left -= families * length;
            boolean fits =
                    multiplicity.copies() * length <= locality.stretchRecords() / STRETCH_PARTS;
            long recent = fits ? Math.round(families * locality.recentShare()) : 0;
            addFamilies(length, recent, multiplicity.copies(), true);
            addFamilies(length, families - recent, multiplicity.copies(), false);
        }
    }

    private void addFamilies(int length, long families, long copies, boolean recent) {
        if (families > 0) {
            classes.add(new RunClass(nextContent, length, false, families, copies, recent));
            nextContent += families * length;
        }
    }

    /** Each doubling of the length is q times as frequent; q is found so that the mean is right. */
    private static double[] shares(double mean) {
        int logs = 1;
        while (1 << (logs - 1) < mean * TAIL && mean > 1) {
            logs++;
        }
        double low = 0;
        double high = 2;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (mean(powers(middle, logs)) < mean) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return powers((low + high) / 2, logs);
    }

    private static double[] powers(double q, int count) {
        double[] shares = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            shares[i] = Math.pow(q, i);
            sum += shares[i];
        }
        for (int i = 0; i < count; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    private static double mean(double[] shares) {
        double mean = 0;
        for (int i = 0; i < shares.length; i++) {
            mean += shares[i] * (1 << i);
        }
        return mean;
    }
}
