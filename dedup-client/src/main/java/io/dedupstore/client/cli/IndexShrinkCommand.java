package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.ShrinkReport;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code dedup admin index shrink}. */
@Command(
        name = "shrink",
        description =
                "Rewrites the index's tables, so that the space of deleted entries comes back.")
final class IndexShrinkCommand extends JobVerb<ShrinkReport> {
    IndexShrinkCommand() {
        super(ShrinkReport.class);
    }

    @Override
    JobReport begin(AdminClient client) {
        return client.shrinkIndex();
    }

    @Override
    void printResult(ShrinkReport report, PrintWriter out) {
        out.println(
                String.format(
                        Locale.ROOT,
                        "%s before, %s after, in %.1f s",
                        HumanUnits.bytes(report.bytesBefore()),
                        HumanUnits.bytes(report.bytesAfter()),
                        report.seconds()));
    }
}
