package io.dedupstore.client.admin;

import java.util.List;

/** What was written to tables, so that a start has nothing of it to replay. */
public record DrainReport(List<Group> groups, double seconds) {
    public DrainReport {
        groups = List.copyOf(groups);
    }

    /**
     * @param entries of the log that a start would have replayed, at most
     * @param operations in them
     * @param bytes of log of them
     */
    public record Group(String name, long entries, long operations, long bytes, double seconds) {}
}
