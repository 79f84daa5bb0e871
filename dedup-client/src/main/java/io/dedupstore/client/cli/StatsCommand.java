package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.BucketReport;
import io.dedupstore.client.admin.StatsReport;
import io.dedupstore.client.admin.StorageReport;
import io.dedupstore.client.admin.UsageReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dedup admin stats}. */
@Command(
        name = "stats",
        description = "What the store holds, per bucket and in total, and what that costs on disk.",
        footer = {
            "",
            "A bucket's stored bytes are the chunks that were new when it wrote them, before compression,",
            "and its inline objects; its ratio is \"-\" where nothing was new. The total's are the container",
            "files and the inline objects.",
        })
final class StatsCommand extends AdminVerb<StatsReport> {
    @Option(names = "--bucket", paramLabel = "NAME", description = "Only this bucket.")
    private @Nullable String bucket;

    @Override
    StatsReport ask(AdminClient client) throws IOException {
        StatsReport stats = client.stats();
        if (bucket == null) {
            return stats;
        }
        List<BucketReport> wanted =
                stats.buckets().stream().filter(report -> report.name().equals(bucket)).toList();
        if (wanted.isEmpty()) {
            throw new IOException("there is no bucket " + bucket);
        }
        return new StatsReport(stats.total(), stats.distinctChunks(), stats.storage(), wanted);
    }

    @Override
    void print(StatsReport stats, PrintWriter out) {
        TextTable table =
                new TextTable(
                        "BUCKET",
                        "CHUNKING",
                        "OBJECTS",
                        "LOGICAL",
                        "STORED",
                        "SAVINGS",
                        "CHUNKS",
                        "RATIO");
        for (BucketReport report : stats.buckets()) {
            UsageReport usage = report.usage();
            addRow(
                    table,
                    report.name(),
                    report.chunking(),
                    usage,
                    usage.distinctChunkBytes() + usage.inlineBytes());
        }
        if (bucket == null) {
            StorageReport storage = stats.storage();
            UsageReport total = stats.total();
            addRow(table, "total", "", total, storage.containerBytes() + total.inlineBytes());
            table.print(out);
            printStorage(stats, out);
        } else {
            table.print(out);
        }
    }

    private static void addRow(
            TextTable table, String name, String chunking, UsageReport usage, long stored) {
        table.row(
                name,
                chunking,
                HumanUnits.count(usage.objects()),
                HumanUnits.bytes(usage.logicalBytes()),
                HumanUnits.bytes(stored),
                HumanUnits.saving(usage.logicalBytes(), stored),
                HumanUnits.count(usage.chunks()),
                HumanUnits.ratio(usage.dedupRatio()));
    }

    private static void printStorage(StatsReport stats, PrintWriter out) {
        StorageReport storage = stats.storage();
        out.println();
        TextTable table = new TextTable("STORED", "BYTES", "");
        line(table, "containers", storage.containerBytes());
        line(table, "  live records", storage.liveBytes());
        line(table, "inline objects", stats.total().inlineBytes());
        line(table, "metadata", storage.metadataBytes());
        line(table, "index", storage.indexBytes());
        line(table, "free on the drive", storage.freeBytes());
        table.print(out);
        out.println();
        out.println(
                "%d containers (%d open), %d chunks in the index, %d unfinished uploads"
                        .formatted(
                                storage.containers(),
                                storage.openContainers(),
                                stats.distinctChunks(),
                                stats.total().uploads()));
    }

    private static void line(TextTable table, String name, long bytes) {
        table.row(name, HumanUnits.count(bytes), HumanUnits.bytes(bytes));
    }
}
