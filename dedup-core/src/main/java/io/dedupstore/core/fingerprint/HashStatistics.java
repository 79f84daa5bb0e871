package io.dedupstore.core.fingerprint;

import java.util.List;

/**
 * What an engine has done since its start.
 *
 * @param primaries threads that hash
 */
public record HashStatistics(int primaries, List<Queue> queues) {
    public HashStatistics {
        queues = List.copyOf(queues);
    }

    /**
     * Of one kind of calls.
     *
     * @param waiting jobs somebody waits for
     * @param putOff jobs that wait to fill lanes
     * @param jobs begun
     * @param bytes run
     * @param busySeconds of all calls together
     * @param waitSeconds from being wanted to the begin, of all jobs together
     * @param waitMedianSeconds upper bound, a power of two of nanoseconds
     * @param waitP99Seconds likewise
     * @param lanes that a call can fill
     * @param callsByRows how many calls ran so many jobs together
     */
    public record Queue(
            String name,
            int waiting,
            int putOff,
            long jobs,
            long bytes,
            double busySeconds,
            double waitSeconds,
            double waitMedianSeconds,
            double waitP99Seconds,
            int lanes,
            long[] callsByRows) {

        public long calls() {
            long calls = 0;
            for (long some : callsByRows) {
                calls += some;
            }
            return calls;
        }

        /** Mean share of lanes that had a job when a call began. */
        public double laneFill() {
            double filled = 0;
            for (int rows = 1; rows < callsByRows.length; rows++) {
                filled += callsByRows[rows] * Math.min(1.0, (double) rows / lanes);
            }
            long calls = calls();
            return calls == 0 ? 0 : filled / calls;
        }
    }
}
