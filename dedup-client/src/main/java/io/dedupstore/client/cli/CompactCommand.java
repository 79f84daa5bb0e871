package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.CompactionReport;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin compact}. */
@Command(
        name = "compact",
        description = "Runs one round of compaction now, and says what came back.")
final class CompactCommand extends AdminVerb<CompactionReport> {
    @Override
    CompactionReport ask(AdminClient client) {
        return client.compact();
    }

    @Override
    void print(CompactionReport report, PrintWriter out) {
        out.println(
                "%d containers looked at, %d rewritten, %d deleted, %s freed"
                        .formatted(
                                report.examined(),
                                report.rewritten(),
                                report.deleted(),
                                HumanUnits.bytes(report.freedBytes())));
    }
}
