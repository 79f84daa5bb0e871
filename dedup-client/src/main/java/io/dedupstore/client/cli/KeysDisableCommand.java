package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NamedKeyReport;
import picocli.CommandLine.Command;

/** {@code dedup admin keys disable}. */
@Command(
        name = "disable",
        description = "Objects under the key can be neither read nor written until it is enabled.")
final class KeysDisableCommand extends OneKeyVerb {
    @Override
    NamedKeyReport ask(AdminClient client) {
        return client.enableKey(id(), false);
    }
}
