package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NamedKeyReport;
import io.dedupstore.client.admin.NewKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dedup admin keys create}. */
@Command(name = "create", description = "Makes a key that every account may name.")
final class KeysCreateCommand extends OneKeyVerb {
    @Option(names = "--for", paramLabel = "TEXT", description = "What it is for.")
    private @Nullable String description;

    @Override
    NamedKeyReport ask(AdminClient client) {
        return client.createKey(new NewKey(id(), description));
    }
}
