package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.PreloadReport;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dedup admin index preload}. */
@Command(name = "preload", description = "Reads the index into memory, as after a restart.")
final class IndexPreloadCommand extends JobVerb<PreloadReport> {
    @Option(names = "--filters", description = "Only filters and table indexes.")
    private boolean filters;

    IndexPreloadCommand() {
        super(PreloadReport.class);
    }

    @Override
    JobReport begin(AdminClient client) {
        return client.preloadIndex(filters ? "filters" : "all");
    }

    @Override
    void printResult(PreloadReport report, PrintWriter out) {
        String read =
                report.what().equals("all")
                        ? HumanUnits.bytes(report.read())
                        : "filters of " + report.read() + " files";
        out.println(
                String.format(
                        Locale.ROOT,
                        "read %s in %.1f s; filters and table indexes take %s of memory",
                        read,
                        report.seconds(),
                        HumanUnits.bytes(report.filterBytes())));
    }
}
