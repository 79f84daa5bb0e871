package io.dedupstore.client.admin;

import java.util.List;

/** Jobs that run or have ended lately, newest first. */
public record JobList(List<JobReport> jobs) {
    public JobList {
        jobs = List.copyOf(jobs);
    }
}
