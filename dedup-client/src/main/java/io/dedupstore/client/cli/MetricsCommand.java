package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin metrics}. */
@Command(name = "metrics", description = "The metrics, as Prometheus reads them.")
final class MetricsCommand extends AdminVerb<String> {
    @Override
    String ask(AdminClient client) {
        return client.metrics();
    }

    @Override
    void print(String metrics, PrintWriter out) {
        out.print(metrics);
    }
}
