package io.dedupstore.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dedup admin index ...}. */
@Command(
        name = "index",
        description = "Looks into the fingerprint index, and looks after it.",
        subcommands = {
            IndexStatusCommand.class,
            IndexHistogramCommand.class,
            IndexDrainCommand.class,
            IndexPruneCommand.class,
            IndexPreloadCommand.class,
            IndexQuotaCommand.class,
            IndexRebuildCommand.class,
            IndexShrinkCommand.class,
            IndexVerifyCommand.class
        })
final class IndexCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }
}
