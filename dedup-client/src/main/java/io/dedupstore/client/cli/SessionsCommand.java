package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.SessionList;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin sessions}. */
@Command(name = "sessions", description = "Gateways' sessions and their epochs, newest first.")
final class SessionsCommand extends AdminVerb<SessionList> {
    @Override
    SessionList ask(AdminClient client) {
        return client.sessions();
    }

    @Override
    void print(SessionList list, PrintWriter out) {
        TextTable table = new TextTable("SESSION", "EPOCH", "STATE", "OPEN INTENTS");
        list.sessions()
                .forEach(
                        session ->
                                table.row(
                                        HumanUnits.count(session.session()),
                                        HumanUnits.count(session.epoch()),
                                        session.state(),
                                        HumanUnits.count(session.openIntents())));
        table.print(out);
    }
}
