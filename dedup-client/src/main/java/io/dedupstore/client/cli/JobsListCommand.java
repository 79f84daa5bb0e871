package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobList;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin jobs list}. */
@Command(name = "list", description = "Jobs since the server's start, newest first.")
final class JobsListCommand extends AdminVerb<JobList> {
    @Override
    JobList ask(AdminClient client) {
        return client.jobs();
    }

    @Override
    void print(JobList list, PrintWriter out) {
        TextTable table = new TextTable("JOB", "KIND", "BY", "STATE", "STARTED", "PROGRESS");
        list.jobs()
                .forEach(
                        job ->
                                table.row(
                                        HumanUnits.count(job.id()),
                                        job.kind(),
                                        job.startedBy(),
                                        job.state(),
                                        job.startedAt(),
                                        JobLine.of(job)));
        table.print(out);
    }
}
