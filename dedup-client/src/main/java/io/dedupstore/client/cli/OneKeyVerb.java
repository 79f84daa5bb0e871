package io.dedupstore.client.cli;

import io.dedupstore.client.admin.NamedKeyReport;
import java.io.PrintWriter;
import picocli.CommandLine.Parameters;

/** A verb about one key. */
abstract class OneKeyVerb extends AdminVerb<NamedKeyReport> {
    @Parameters(paramLabel = "KEY", description = "Id of the key.")
    private String id = "";

    String id() {
        return id;
    }

    @Override
    void print(NamedKeyReport key, PrintWriter out) {
        out.println(
                "%s: version %d, %s"
                        .formatted(
                                key.id(), key.version(), key.enabled() ? "enabled" : "disabled"));
    }
}
