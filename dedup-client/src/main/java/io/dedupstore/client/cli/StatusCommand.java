package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.StatusReport;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin status}. */
@Command(
        name = "status",
        description = "How the server is: readiness, Raft groups, memory, warnings.")
final class StatusCommand extends AdminVerb<StatusReport> {
    @Override
    StatusReport ask(AdminClient client) {
        return client.status();
    }

    @Override
    void print(StatusReport status, PrintWriter out) {
        out.println("version    " + status.version());
        out.println("cluster    " + status.clusterId());
        out.println("started    " + status.startedAt());
        out.println("s3         " + status.s3Endpoint());
        out.println("data       " + status.dataDirectory());
        out.println("ready      " + (status.ready() ? "yes" : "no"));
        status.reasons().forEach(reason -> out.println("           " + reason));
        StatusReport.Memory memory = status.memory();
        out.println("heap       " + used(memory.heapUsed(), memory.heapLimit()));
        out.println("requests   " + used(memory.requestsUsed(), memory.requestsLimit()));
        out.println();
        TextTable table = new TextTable("GROUP", "ROLE", "TERM", "COMMITTED", "APPLIED");
        for (StatusReport.Group group : status.groups()) {
            table.row(
                    group.name(),
                    group.role(),
                    HumanUnits.count(group.term()),
                    HumanUnits.count(group.committed()),
                    HumanUnits.count(group.applied()));
        }
        table.print(out);
        status.warnings().forEach(warning -> out.println("warning: " + warning));
    }

    private static String used(long used, long limit) {
        return HumanUnits.bytes(used) + " of " + HumanUnits.bytes(limit);
    }
}
