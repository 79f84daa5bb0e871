package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.HistogramReport;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code dedup admin index histogram}. */
@Command(
        name = "histogram",
        description = "The index by reference count: how many chunks are shared how often.")
final class IndexHistogramCommand extends AdminVerb<HistogramReport> {
    @Override
    HistogramReport ask(AdminClient client) {
        return client.indexHistogram();
    }

    @Override
    void print(HistogramReport histogram, PrintWriter out) {
        TextTable table =
                new TextTable("REFERENCES", "CHUNKS", "BYTES", "REFERENCED", "REFERENCED BYTES");
        histogram
                .rows()
                .forEach(
                        row ->
                                table.row(
                                        HumanUnits.count(row.references()) + "+",
                                        HumanUnits.count(row.chunks()),
                                        HumanUnits.bytes(row.chunkBytes()),
                                        HumanUnits.count(row.referenceCount()),
                                        HumanUnits.bytes(row.referencedBytes())));
        table.print(out);
        out.println();
        out.println(
                "%d entries, %d of them with one reference"
                        .formatted(histogram.entries(), histogram.uniqueEntries()));
    }
}
