package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AccountReport;
import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NewAccount;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account create}. */
@Command(
        name = "create",
        description = "Makes an account with an access key; its secret is shown this once.")
final class AccountCreateCommand extends AdminVerb<AccountReport> {
    @Parameters(paramLabel = "NAME", description = "What people call it.")
    private String name = "";

    @Option(
            names = "--email",
            paramLabel = "ADDRESS",
            description = "By which access lists may name it.")
    private @Nullable String email;

    @Option(
            names = "--access-key",
            paramLabel = "KEY",
            description = "The access key; made up where it is left out.")
    private @Nullable String accessKey;

    @Option(
            names = "--secret-key",
            paramLabel = "SECRET",
            description = "Its secret; made up where it is left out.")
    private @Nullable String secretKey;

    @Override
    AccountReport ask(AdminClient client) {
        return client.createAccount(new NewAccount(name, email, accessKey, secretKey));
    }

    @Override
    void print(AccountReport account, PrintWriter out) {
        AccountLines.print(account, out);
    }
}
