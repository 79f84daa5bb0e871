package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.PruneReport;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dedup admin index prune}. */
@Command(
        name = "prune",
        description = "Forgets the oldest entries that only one object refers to.",
        footer = {
            "",
            "The chunks stay with their objects; what is forgotten is that a later copy of them",
            "would be a duplicate.",
        })
final class IndexPruneCommand extends JobVerb<PruneReport> {
    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

    @Option(names = "--dry-run", description = "Only say what would go.")
    private boolean dryRun;

    private static final class Choice {
        @Option(
                names = "--older-than",
                paramLabel = "AGE",
                description = "What was not touched for so long, like 90s, 15m, 12h, 30d.")
        private @Nullable String olderThan;

        @Option(
                names = "--percent",
                paramLabel = "P",
                description = "This share of the entries with one reference, exactly.")
        private @Nullable String percent;

        @Option(names = "--entries", paramLabel = "N", description = "This many of them.")
        private @Nullable String entries;
    }

    IndexPruneCommand() {
        super(PruneReport.class);
    }

    @Override
    JobReport begin(AdminClient client) {
        if (choice.olderThan != null) {
            return client.pruneIndex("olderThan", choice.olderThan, dryRun);
        }
        return choice.percent != null
                ? client.pruneIndex("percent", choice.percent, dryRun)
                : client.pruneIndex("entries", String.valueOf(choice.entries), dryRun);
    }

    @Override
    void printResult(PruneReport report, PrintWriter out) {
        out.println(
                report.dryRun()
                        ? "would prune %d of %d entries, those not touched after %s"
                                .formatted(
                                        report.planned(), report.scanned(), report.untouchedSince())
                        : "pruned %d of %d entries (%d were to go); their chunks are %s"
                                .formatted(
                                        report.pruned(),
                                        report.scanned(),
                                        report.planned(),
                                        HumanUnits.bytes(report.bytes())));
    }
}
