package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.UserList;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account users}. */
@Command(name = "users", description = "The users of an account.")
final class UsersCommand extends AdminVerb<UserList> {
    @Parameters(paramLabel = "ACCOUNT", description = "Its id.")
    private String account = "";

    @Override
    UserList ask(AdminClient client) {
        return client.users(account);
    }

    @Override
    void print(UserList list, PrintWriter out) {
        TextTable table = new TextTable("USER", "ACCESS KEYS", "POLICIES", "ARN");
        list.users()
                .forEach(
                        user ->
                                table.row(
                                        user.name(),
                                        String.join(" ", user.accessKeys()),
                                        String.join(" ", user.policies()),
                                        user.arn()));
        table.print(out);
    }
}
