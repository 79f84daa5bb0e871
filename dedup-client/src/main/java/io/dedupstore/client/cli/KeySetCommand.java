package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AccessKeyReport;
import io.dedupstore.client.admin.AdminClient;
import java.io.PrintWriter;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account key-set}. */
@Command(name = "key-set", description = "Switches an access key on or off.")
final class KeySetCommand extends AdminVerb<AccessKeyReport> {
    @Parameters(paramLabel = "KEY", description = "The access key.")
    private String key = "";

    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

    private static final class Choice {
        @Option(names = "--active", description = "It opens what it did.")
        private boolean active;

        @Option(names = "--inactive", description = "It opens nothing.")
        private boolean inactive;
    }

    @Override
    AccessKeyReport ask(AdminClient client) {
        return client.setKeyActive(key, choice.active);
    }

    @Override
    void print(AccessKeyReport report, PrintWriter out) {
        AccountLines.print(report, out);
    }
}
