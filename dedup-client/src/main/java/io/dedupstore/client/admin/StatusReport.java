package io.dedupstore.client.admin;

import java.util.List;

/**
 * How the process is.
 *
 * @param startedAt ISO 8601, UTC
 * @param reasons why it is not ready; empty when it is
 * @param warnings what an operator should know, like relaxed durability
 */
public record StatusReport(
        String version,
        String clusterId,
        String startedAt,
        String s3Endpoint,
        String dataDirectory,
        boolean ready,
        List<String> reasons,
        List<String> warnings,
        List<Group> groups,
        Memory memory) {
    public StatusReport {
        reasons = List.copyOf(reasons);
        warnings = List.copyOf(warnings);
        groups = List.copyOf(groups);
    }

    /**
     * A Raft group that this process is a member of.
     *
     * @param name control, metadata-0, index-0, ...
     * @param role leader, follower, candidate or starting
     */
    public record Group(String name, String role, long term, long committed, long applied) {}

    /**
     * Bytes.
     *
     * @param requestsUsed buffers that requests hold now
     * @param requestsLimit over it, requests are answered SlowDown
     */
    public record Memory(long heapUsed, long heapLimit, long requestsUsed, long requestsLimit) {}
}
