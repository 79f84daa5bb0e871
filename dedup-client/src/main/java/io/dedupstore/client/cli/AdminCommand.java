package io.dedupstore.client.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code dedup admin ...}. */
@Command(
        name = "admin",
        description = "Asks or commands a running server over its admin port.",
        footer = {
            "",
            "Where the server is comes from --data, or from --endpoint and --token, or from the variables",
            "DEDUP_ADMIN_ENDPOINT and DEDUP_ADMIN_TOKEN.",
        },
        subcommands = {
            StatsCommand.class,
            StatusCommand.class,
            HashCommand.class,
            BucketsCommand.class,
            BucketCommand.class,
            AccountsCommand.class,
            AccountCommand.class,
            ScrubCommand.class,
            SessionsCommand.class,
            CompactCommand.class,
            EstimateCommand.class,
            IndexCommand.class,
            IndexVerifyCommand.class,
            JobsCommand.class,
            KeysCommand.class,
            MetricsCommand.class
        })
final class AdminCommand implements Runnable {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Print this text.")
    private boolean help;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }
}
