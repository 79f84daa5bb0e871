package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AccountReport;
import io.dedupstore.client.admin.AdminClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account show}. */
@Command(name = "show", description = "An account with its access keys.")
final class AccountShowCommand extends AdminVerb<AccountReport> {
    @Parameters(paramLabel = "ACCOUNT", description = "Its id.")
    private String id = "";

    @Override
    AccountReport ask(AdminClient client) {
        return client.account(id);
    }

    @Override
    void print(AccountReport account, PrintWriter out) {
        AccountLines.print(account, out);
    }
}
