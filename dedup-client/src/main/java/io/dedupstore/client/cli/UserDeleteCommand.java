package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account user-delete}. */
@Command(name = "user-delete", description = "Removes a user with its access keys.")
final class UserDeleteCommand extends AdminVerb<String> {
    @Parameters(index = "0", paramLabel = "ACCOUNT", description = "Id of the account.")
    private String account = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the user.")
    private String name = "";

    @Override
    String ask(AdminClient client) {
        client.deleteUser(account, name);
        return name;
    }

    @Override
    void print(String user, PrintWriter out) {
        out.println("removed " + user);
    }
}
