package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.HashReport;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin hash}. */
@Command(name = "hash", description = "Which hashing drivers are in use.")
final class HashCommand extends AdminVerb<HashReport> {
    @Override
    HashReport ask(AdminClient client) {
        return client.hash();
    }

    @Override
    void print(HashReport hash, PrintWriter out) {
        out.println("driver          " + hash.driver());
        out.println("native library  " + hash.nativeLibrary());
        out.println();
        TextTable table = new TextTable("ALGORITHM", "DRIVER", "USED FOR");
        hash.algorithms().forEach(line -> table.row(line.name(), line.driver(), line.use()));
        table.print(out);
    }
}
