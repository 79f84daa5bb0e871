package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AccountList;
import io.dedupstore.client.admin.AdminClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin accounts}. */
@Command(name = "accounts", description = "All accounts.")
final class AccountsCommand extends AdminVerb<AccountList> {
    @Override
    AccountList ask(AdminClient client) {
        return client.accounts();
    }

    @Override
    void print(AccountList list, PrintWriter out) {
        TextTable table = new TextTable("ACCOUNT", "NAME", "EMAIL", "BUCKETS", "CANONICAL ID");
        list.accounts()
                .forEach(
                        account ->
                                table.row(
                                        account.id(),
                                        account.displayName(),
                                        account.email(),
                                        HumanUnits.count(account.buckets()),
                                        account.canonicalId()));
        table.print(out);
    }
}
