package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AccessKeyReport;
import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NewAccessKey;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dedup admin account key-create}. */
@Command(
        name = "key-create",
        description = "Makes an access key of an account or user; its secret is shown this once.")
final class KeyCreateCommand extends AdminVerb<AccessKeyReport> {
    @Parameters(paramLabel = "ACCOUNT", description = "Id of the account.")
    private String account = "";

    @Option(names = "--user", paramLabel = "NAME", description = "The user who gets it.")
    private @Nullable String user;

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
    AccessKeyReport ask(AdminClient client) {
        return client.createKey(account, user, new NewAccessKey(accessKey, secretKey));
    }

    @Override
    void print(AccessKeyReport key, PrintWriter out) {
        AccountLines.print(key, out);
    }
}
