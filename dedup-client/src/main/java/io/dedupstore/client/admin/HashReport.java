package io.dedupstore.client.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hashing engine.
 *
 * @param driver of SHA-256
 * @param nativeLibrary whether the native library is loaded, or why not
 * @param setting what the configuration says: auto, native or jdk
 * @param calibrated whether plans were measured at this start
 * @param primaries threads that hash
 * @param queues what was done since the start
 */
public record HashReport(
        String driver,
        String nativeLibrary,
        String setting,
        boolean calibrated,
        int primaries,
        List<Algorithm> algorithms,
        List<Queue> queues) {
    public HashReport {
        algorithms = List.copyOf(algorithms);
        queues = List.copyOf(queues);
    }

    /**
     * One algorithm.
     *
     * @param driver kernels in use
     * @param use chunk fingerprints, ETags, ...
     * @param lanes streams that the widest kernel runs side by side
     * @param plan by number of jobs that wait, from one on; empty where one runs after the other
     */
    public record Algorithm(String name, String driver, String use, int lanes, List<Step> plan) {
        public Algorithm {
            plan = List.copyOf(plan);
        }
    }

    /**
     * What is done with so many jobs.
     *
     * @param jobs that wait
     * @param driver that runs them
     * @param together how many the next call takes
     * @param bytesPerSecond as measured at the start; absent when it was not
     */
    public record Step(int jobs, String driver, int together, @Nullable Long bytesPerSecond) {}

    /**
     * Jobs that calls of one kind run together.
     *
     * @param waiting jobs that somebody waits for now
     * @param putOff jobs that wait to fill lanes
     * @param jobs begun
     * @param bytes hashed
     * @param calls of kernels
     * @param busySeconds of all primaries in them
     * @param laneFill mean share of lanes that had a job when a call began
     * @param waitMeanSeconds in the queue
     * @param waitMedianSeconds an upper bound, a power of two of nanoseconds
     * @param waitP99Seconds likewise
     */
    public record Queue(
            String name,
            int waiting,
            int putOff,
            long jobs,
            long bytes,
            long calls,
            double busySeconds,
            double laneFill,
            double waitMeanSeconds,
            double waitMedianSeconds,
            double waitP99Seconds) {}
}
