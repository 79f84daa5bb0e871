package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NamedKeyReport;
import picocli.CommandLine.Command;

/** {@code dedup admin keys rotate}. */
@Command(
        name = "rotate",
        description = "Gives a key new material and wraps anew what the old had wrapped.",
        footer = {"", "Objects stay as they are and readable; no data is moved."})
final class KeysRotateCommand extends OneKeyVerb {
    @Override
    NamedKeyReport ask(AdminClient client) {
        return client.rotateKey(id());
    }
}
