package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NamedKeyReport;
import picocli.CommandLine.Command;

/** {@code dedup admin keys enable}. */
@Command(name = "enable", description = "Objects under the key can be read and written again.")
final class KeysEnableCommand extends OneKeyVerb {
    @Override
    NamedKeyReport ask(AdminClient client) {
        return client.enableKey(id(), true);
    }
}
