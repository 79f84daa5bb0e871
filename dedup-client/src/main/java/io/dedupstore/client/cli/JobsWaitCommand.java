package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code dedup admin jobs wait}. */
@Command(name = "wait", description = "Waits for the end of a job.")
final class JobsWaitCommand extends OneJobVerb {
    @Spec private CommandSpec verb;

    @Override
    JobReport ask(AdminClient client) throws IOException {
        return new JobWait(client, verb.commandLine().getErr(), System.console() != null)
                .untilEnd(client.job(id()));
    }
}
