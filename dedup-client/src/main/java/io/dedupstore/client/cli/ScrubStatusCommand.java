package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.ScrubReport;
import picocli.CommandLine.Command;

/** {@code dedup admin scrub status}. */
@Command(name = "status", description = "Shows how far the scrub is and what it found.")
final class ScrubStatusCommand extends ScrubVerb {
    @Override
    ScrubReport ask(AdminClient client) {
        return client.scrub();
    }
}
