package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NewUser;
import io.dedupstore.client.admin.UserReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account user-create}. */
@Command(name = "user-create", description = "Makes a user, who may do what its policies allow.")
final class UserCreateCommand extends AdminVerb<UserReport> {
    @Parameters(index = "0", paramLabel = "ACCOUNT", description = "Id of the account.")
    private String account = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the user.")
    private String name = "";

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "What it may do, as a policy document.")
    private @Nullable Path policy;

    @Override
    UserReport ask(AdminClient client) throws IOException {
        String document = policy == null ? null : Files.readString(policy);
        return client.createUser(account, new NewUser(name, document));
    }

    @Override
    void print(UserReport user, PrintWriter out) {
        out.println("made " + user.arn());
    }
}
