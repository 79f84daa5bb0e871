package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NamedKeyList;
import io.dedupstore.client.admin.NamedKeyReport;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin keys}. */
@Command(
        name = "keys",
        description = "Keys that objects are encrypted under; by itself, all of them.",
        subcommands = {
            KeysCreateCommand.class,
            KeysRotateCommand.class,
            KeysEnableCommand.class,
            KeysDisableCommand.class
        })
final class KeysCommand extends AdminVerb<NamedKeyList> {
    @Override
    NamedKeyList ask(AdminClient client) {
        return client.keys();
    }

    @Override
    void print(NamedKeyList list, PrintWriter out) {
        TextTable table =
                new TextTable("KEY", "ACCOUNT", "ENABLED", "VERSION", "CREATED", "ROTATED", "FOR");
        for (NamedKeyReport key : list.keys()) {
            String rotated = key.rotatedAt();
            table.row(
                    key.id(),
                    key.account().isEmpty() ? "all" : key.account(),
                    key.enabled() ? "yes" : "no",
                    Integer.toString(key.version()),
                    key.createdAt(),
                    rotated == null ? "-" : rotated,
                    key.description());
        }
        table.print(out);
    }
}
