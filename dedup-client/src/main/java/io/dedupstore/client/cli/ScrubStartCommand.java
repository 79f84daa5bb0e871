package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.ScrubReport;
import picocli.CommandLine.Command;

/** {@code dedup admin scrub start}. */
@Command(name = "start", description = "Has a scrub begin now, unless one is running.")
final class ScrubStartCommand extends ScrubVerb {
    @Override
    ScrubReport ask(AdminClient client) {
        return client.startScrub();
    }
}
