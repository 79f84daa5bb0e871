package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.RebuildReport;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin index rebuild}. */
@Command(
        name = "rebuild",
        description =
                "Throws the index away and makes it anew from manifests. Reads and writes go on;"
                        + " meanwhile nothing deduplicates and nothing is freed, and writes that run"
                        + " when it begins may have to be repeated by their clients.",
        footer = {"", "Exit code 1 when the books do not balance afterwards, or chunks are lost."})
final class IndexRebuildCommand extends JobVerb<RebuildReport> {
    IndexRebuildCommand() {
        super(RebuildReport.class);
    }

    @Override
    JobReport begin(AdminClient client) {
        return client.rebuildIndex();
    }

    @Override
    int exitCodeOf(RebuildReport report) {
        return report.balanced() && report.lost() == 0 ? 0 : 1;
    }

    @Override
    void printResult(RebuildReport report, PrintWriter out) {
        out.println(
                "%d entries from %d references of %d holders; %d references at other addresses; %d slots adopted, %d freed"
                        .formatted(
                                report.entries(),
                                report.references(),
                                report.holders(),
                                report.forgotten(),
                                report.adoptedSlots(),
                                report.freedSlots()));
        if (report.lost() > 0) {
            out.println(
                    "%d references to freed slots: DATA IS LOST, verify names what"
                            .formatted(report.lost()));
        }
        out.println(report.balanced() ? "the books balance" : "the books DO NOT BALANCE");
    }
}
