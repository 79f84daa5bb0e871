package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.DrainReport;
import io.dedupstore.client.admin.JobReport;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code dedup admin index drain}. */
@Command(
        name = "drain",
        description =
                "Writes what is only in logs and memory to the tables of all shards, so that a start"
                        + " has nothing to replay.")
final class IndexDrainCommand extends JobVerb<DrainReport> {
    IndexDrainCommand() {
        super(DrainReport.class);
    }

    @Override
    JobReport begin(AdminClient client) {
        return client.drainIndex();
    }

    @Override
    void printResult(DrainReport report, PrintWriter out) {
        TextTable table = new TextTable("group", "entries", "operations", "log", "seconds");
        for (DrainReport.Group group : report.groups()) {
            table.row(
                    group.name(),
                    HumanUnits.count(group.entries()),
                    HumanUnits.count(group.operations()),
                    HumanUnits.bytes(group.bytes()),
                    String.format(Locale.ROOT, "%.2f", group.seconds()));
        }
        table.print(out);
    }
}
