package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account key-delete}. */
@Command(name = "key-delete", description = "Removes an access key.")
final class KeyDeleteCommand extends AdminVerb<String> {
    @Parameters(paramLabel = "KEY", description = "The access key.")
    private String key = "";

    @Override
    String ask(AdminClient client) {
        client.deleteKey(key);
        return key;
    }

    @Override
    void print(String deleted, PrintWriter out) {
        out.println("removed " + deleted);
    }
}
