package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AccessKeyReport;
import io.dedupstore.client.admin.AccountReport;
import java.io.PrintWriter;

/** Accounts and keys as text. */
final class AccountLines {
    private AccountLines() {}

    static void print(AccountReport account, PrintWriter out) {
        out.println("account " + account.id() + ": " + account.displayName());
        out.println("canonical id " + account.canonicalId());
        if (!account.email().isEmpty()) {
            out.println("email " + account.email());
        }
        account.accessKeys().forEach(key -> print(key, out));
    }

    static void print(AccessKeyReport key, PrintWriter out) {
        out.println(
                "access key %s%s%s"
                        .formatted(
                                key.accessKey(),
                                key.user() == null ? "" : " of user " + key.user(),
                                key.active() ? "" : ", not active"));
        if (key.secretKey() != null) {
            out.println("secret key " + key.secretKey());
        }
    }
}
