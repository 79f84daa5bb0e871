package io.dedupstore.server.admin;

import io.dedupstore.client.admin.JobList;
import io.dedupstore.client.admin.JobReport;

/** Long operations of this node. As {@link AdminService}; NOT_FOUND where there is no such job. */
public interface JobService {
    JobList jobs();

    JobReport job(long id);

    /** Asks it to end, and says how it is; a job that has ended stays as it is. */
    JobReport cancel(long id);
}
