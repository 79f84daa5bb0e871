package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.HashReport;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dedup admin hash}. */
@Command(
        name = "hash",
        description =
                "Which hashing drivers are in use and how busy they are, or how many threads.",
        footer = {
            "",
            "Fewer primary threads fill lanes better and cost less CPU; more answer sooner.",
            "What is set here holds until the server ends; hash.primaries holds from the start on.",
        })
final class HashCommand extends AdminVerb<HashReport> {
    private static final double GIGA = 1e9;
    private static final double MICRO = 1e6;

    @Option(
            names = "--primaries",
            paramLabel = "N",
            description = "Sets how many threads hash, 1 to 64.")
    private @Nullable Integer primaries;

    @Override
    HashReport ask(AdminClient client) {
        Integer wanted = primaries;
        return wanted == null ? client.hash() : client.setHashPrimaries(wanted);
    }

    @Override
    void print(HashReport hash, PrintWriter out) {
        out.println("driver           " + hash.driver() + " (set: " + hash.setting() + ")");
        out.println("native library   " + hash.nativeLibrary());
        out.println("calibrated       " + (hash.calibrated() ? "yes" : "no"));
        out.println("primary threads  " + hash.primaries());
        out.println();
        TextTable algorithms = new TextTable("ALGORITHM", "DRIVER", "LANES", "USED FOR");
        hash.algorithms()
                .forEach(
                        line ->
                                algorithms.row(
                                        line.name(),
                                        line.driver(),
                                        Integer.toString(line.lanes()),
                                        line.use()));
        algorithms.print(out);
        out.println();
        queues(hash).print(out);
        if (hash.algorithms().stream().anyMatch(line -> !line.plan().isEmpty())) {
            out.println();
            plans(hash).print(out);
        }
    }

    private static TextTable queues(HashReport hash) {
        TextTable table =
                new TextTable(
                        "QUEUE",
                        "WAITING",
                        "PUT OFF",
                        "JOBS",
                        "BYTES",
                        "CALLS",
                        "LANE FILL",
                        "WAIT us",
                        "P99 us",
                        "GB/s");
        for (HashReport.Queue queue : hash.queues()) {
            table.row(
                    queue.name(),
                    Integer.toString(queue.waiting()),
                    Integer.toString(queue.putOff()),
                    HumanUnits.count(queue.jobs()),
                    HumanUnits.bytes(queue.bytes()),
                    HumanUnits.count(queue.calls()),
                    decimal("%.0f %%", 100 * queue.laneFill()),
                    decimal("%.0f", queue.waitMeanSeconds() * MICRO),
                    decimal("%.0f", queue.waitP99Seconds() * MICRO),
                    queue.busySeconds() == 0
                            ? "-"
                            : decimal("%.2f", queue.bytes() / queue.busySeconds() / GIGA));
        }
        return table;
    }

    private static TextTable plans(HashReport hash) {
        TextTable table = new TextTable("ALGORITHM", "JOBS", "TOGETHER", "GB/s", "DRIVER");
        for (HashReport.Algorithm algorithm : hash.algorithms()) {
            for (HashReport.Step step : algorithm.plan()) {
                Long rate = step.bytesPerSecond();
                table.row(
                        algorithm.name(),
                        Integer.toString(step.jobs()),
                        Integer.toString(step.together()),
                        rate == null ? "-" : decimal("%.2f", rate / GIGA),
                        step.driver());
            }
        }
        return table;
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
