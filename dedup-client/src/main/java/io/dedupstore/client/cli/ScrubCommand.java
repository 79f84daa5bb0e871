package io.dedupstore.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dedup admin scrub ...}. */
@Command(
        name = "scrub",
        description = "Verifies the checksums of all stored chunks.",
        subcommands = {ScrubStatusCommand.class, ScrubStartCommand.class})
final class ScrubCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }
}
