package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.VerifyReport;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dedup admin verify}, and under {@code index} as well. */
@Command(
        name = "verify",
        description = "Compares manifests, index and slots of the running store.",
        footer = {"", "Exit code 1 when there are differences."})
final class IndexVerifyCommand extends JobVerb<VerifyReport> {
    @Option(
            names = "--differences",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many are named; all are counted. Default: ${DEFAULT-VALUE}.")
    private int differences;

    IndexVerifyCommand() {
        super(VerifyReport.class);
    }

    @Override
    JobReport begin(AdminClient client) {
        return client.verifyIndex(differences);
    }

    @Override
    int exitCodeOf(VerifyReport report) {
        return report.differenceCount() == 0 && report.complete() ? 0 : 1;
    }

    @Override
    void printResult(VerifyReport report, PrintWriter out) {
        out.println(
                "%d holders with %d references and %d chunks of their own; %d entries, %d references pruned; %d owned slots in %d containers"
                        .formatted(
                                report.holders(),
                                report.references(),
                                report.unindexed(),
                                report.entries(),
                                report.pruned(),
                                report.slots(),
                                report.containers()));
        if (report.skippedContainers() > 0) {
            out.println(
                    "%d containers changed too fast to be looked at; ask again"
                            .formatted(report.skippedContainers()));
        }
        out.println(
                report.differenceCount() == 0
                        ? "no difference"
                        : report.differenceCount() + " DIFFERENCES");
        if (!report.differences().isEmpty()) {
            TextTable table = new TextTable("KIND", "WHERE", "", "DETAIL");
            report.differences()
                    .forEach(
                            found ->
                                    table.row(
                                            found.kind(),
                                            found.where(),
                                            found.lossy() ? "DATA" : "",
                                            found.detail()));
            table.print(out);
        }
    }
}
