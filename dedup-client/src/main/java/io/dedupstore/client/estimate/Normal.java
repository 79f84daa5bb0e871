package io.dedupstore.client.estimate;

/** Quantiles for intervals that hold 19 times in 20. */
final class Normal {
    static final double QUANTILE = 1.96;

    /** Of Student's distribution with 1, 2, ... degrees of freedom. */
    private static final double[] STUDENT = {
        12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093
    };

    private Normal() {}

    /**
     * The upper limit of Poisson's mean when one less than so many events were seen; exact for a
     * gamma distribution but for the approximation of Wilson and Hilferty.
     */
    static double largestMean(double events) {
        double root = 1 - 1 / (9 * events) + QUANTILE / (3 * Math.sqrt(events));
        return events * root * root * root;
    }

    static double student(int degreesOfFreedom) {
        return degreesOfFreedom > STUDENT.length ? 2.093 : STUDENT[degreesOfFreedom - 1];
    }
}
