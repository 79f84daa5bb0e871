package io.dedupstore.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.dedupstore.client.admin.JobReport;
import java.io.PrintWriter;
import picocli.CommandLine.Parameters;

/** A verb about one job. */
abstract class OneJobVerb extends AdminVerb<JobReport> {
    @Parameters(paramLabel = "JOB", description = "Its number.")
    private long id;

    final long id() {
        return id;
    }

    @Override
    final void print(JobReport job, PrintWriter out) {
        out.println("job %d: %s, %s".formatted(job.id(), job.kind(), job.state()));
        out.println(JobLine.of(job));
        job.errors().forEach(error -> out.println("error: " + error));
        if (job.errorCount() > job.errors().size()) {
            out.println("and %d more".formatted(job.errorCount() - job.errors().size()));
        }
        JsonNode result = job.result();
        if (result != null) {
            out.println(result.toPrettyString());
        }
    }
}
