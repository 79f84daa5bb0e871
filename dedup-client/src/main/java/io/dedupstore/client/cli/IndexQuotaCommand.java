package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.QuotaReport;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dedup admin index quota}. */
@Command(
        name = "quota",
        description = "Shows what bounds the index, or sets it.",
        footer = {
            "",
            "Over the quota new chunks are stored unindexed; duplicates of what is indexed still",
            "deduplicate. The oldest entries are pruned when 95 % of it are reached.",
        })
final class IndexQuotaCommand extends AdminVerb<QuotaReport> {
    @Parameters(
            arity = "0..2",
            paramLabel = "QUOTA",
            description = "none, auto, bytes like 4GiB, or '1000000 entries'.")
    private List<String> quota = List.of();

    @Override
    QuotaReport ask(AdminClient client) {
        return quota.isEmpty()
                ? client.indexQuota()
                : client.setIndexQuota(String.join(" ", quota));
    }

    @Override
    void print(QuotaReport report, PrintWriter out) {
        out.println(IndexStatusCommand.quota(report));
        out.println("entries: " + report.entries());
    }
}
