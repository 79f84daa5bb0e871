package io.dedupstore.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dedup admin jobs ...}. */
@Command(
        name = "jobs",
        description = "Long operations: what runs, and what came of those that ended.",
        subcommands = {
            JobsListCommand.class,
            JobsShowCommand.class,
            JobsCancelCommand.class,
            JobsWaitCommand.class
        })
final class JobsCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }
}
