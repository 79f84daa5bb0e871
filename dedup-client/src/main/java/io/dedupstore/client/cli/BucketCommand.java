package io.dedupstore.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dedup admin bucket ...}. */
@Command(
        name = "bucket",
        description = "Works on one bucket.",
        subcommands = BucketCreateCommand.class)
final class BucketCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }
}
