package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import picocli.CommandLine.Command;

/** {@code dedup admin jobs show}. */
@Command(name = "show", description = "How far a job is, and what came of it.")
final class JobsShowCommand extends OneJobVerb {
    @Override
    JobReport ask(AdminClient client) {
        return client.job(id());
    }
}
