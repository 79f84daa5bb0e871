package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClientException;
import io.dedupstore.client.estimate.EstimateException;
import io.dedupstore.client.s3.S3Exception;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The root of all verbs but {@code server}. Exit codes: 0 done, 1 refused or failed, 2 not
 * understood.
 */
@Command(
        name = "dedup",
        description = "Asks or commands a running DedupStore server.",
        subcommands = {AdminCommand.class, VersionCommand.class})
public final class DedupCli implements Runnable {
    private static final int FAILED = 1;
    private static final int NOT_UNDERSTOOD = 2;

    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a verb is missing");
    }

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, arguments));
    }

    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine commandLine =
                new CommandLine(new DedupCli())
                        .setOut(out)
                        .setErr(err)
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setExecutionExceptionHandler(DedupCli::explain);
        return commandLine.execute(arguments);
    }

    private static int explain(
            Exception failure, CommandLine commandLine, CommandLine.ParseResult result)
            throws Exception {
        if (failure instanceof EstimateException refused
                && refused.code() == EstimateException.Code.BAD_OPTIONS) {
            commandLine.getErr().println("dedup: " + refused.getMessage());
            return NOT_UNDERSTOOD;
        }
        if (failure instanceof AdminClientException
                || failure instanceof S3Exception
                || failure instanceof EstimateException
                || failure instanceof IOException) {
            commandLine.getErr().println("dedup: " + failure.getMessage());
            return FAILED;
        }
        throw failure;
    }
}
