package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.IndexReport;
import io.dedupstore.client.admin.QuotaReport;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code dedup admin index status}. */
@Command(name = "status", description = "Entries, what they take, quota, pruning and audit.")
final class IndexStatusCommand extends AdminVerb<IndexReport> {
    @Override
    IndexReport ask(AdminClient client) {
        return client.index();
    }

    @Override
    void print(IndexReport index, PrintWriter out) {
        TextTable table = new TextTable("INDEX", "VALUE", "");
        IndexReport.Entries entries = index.entries();
        count(table, "entries", entries.total());
        count(table, "  unique", entries.unique());
        count(table, "  duplicate", entries.duplicate());
        count(table, "  zombies", entries.zombies());
        count(table, "open intents", index.openIntents());
        IndexReport.Disk disk = index.disk();
        bytes(table, "entries on disk", disk.entryBytes(), perEntry(disk.bytesPerEntry()));
        bytes(table, "all tables", disk.tableBytes(), disk.files() + " files");
        bytes(table, "log", disk.logBytes(), "");
        bytes(
                table,
                "free on its drive",
                disk.driveFreeBytes(),
                disk.ownDrive() ? "own drive" : "shared drive");
        if (disk.damagedPlaces() > 0) {
            count(table, "DAMAGED places", disk.damagedPlaces());
        }
        IndexReport.Memory memory = index.memory();
        bytes(table, "filters in memory", memory.filterBytes(), perEntry(memory.bytesPerEntry()));
        bytes(table, "memtables", memory.memtableBytes(), "");
        table.print(out);
        out.println();
        out.println(quota(index.quota()));
        IndexReport.Pruning pruning = index.pruning();
        out.println(
                "pruned: %d entries still owned; about %d remembered, %d stored anew (%s lost to dedup)"
                        .formatted(
                                pruning.pruned(),
                                pruning.ghosts(),
                                pruning.ghostHits(),
                                HumanUnits.bytes(pruning.ghostHitBytes())));
        out.println(
                "audit: %s, %d checks, %d failed; %d unreadable, %d anomalies"
                        .formatted(
                                index.audit().balanced() ? "balanced" : "NOT BALANCED",
                                index.audit().checks(),
                                index.audit().failures(),
                                index.unreadable(),
                                index.anomalies()));
    }

    static String quota(QuotaReport quota) {
        Long limit = quota.entryLimit();
        return "quota: "
                + quota.quota()
                + (limit == null ? ", no limit now" : ", at most " + limit + " entries")
                + (quota.over() ? ", OVER: new chunks are stored unindexed" : "");
    }

    private static String perEntry(@Nullable Double bytes) {
        return bytes == null ? "" : String.format(Locale.ROOT, "%.1f bytes/entry", bytes);
    }

    private static void count(TextTable table, String name, long number) {
        table.row(name, HumanUnits.count(number), "");
    }

    private static void bytes(TextTable table, String name, long bytes, String note) {
        table.row(name, HumanUnits.bytes(bytes), note);
    }
}
