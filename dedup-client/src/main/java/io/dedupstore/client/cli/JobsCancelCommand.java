package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import picocli.CommandLine.Command;

/** {@code dedup admin jobs cancel}. */
@Command(name = "cancel", description = "Asks a job to end; what it did until then stays done.")
final class JobsCancelCommand extends OneJobVerb {
    @Override
    JobReport ask(AdminClient client) {
        return client.cancelJob(id());
    }
}
