package io.dedupstore.client.cli;

import io.dedupstore.client.admin.JobReport;
import java.time.Duration;
import java.util.Locale;

/** A job in one line. */
final class JobLine {
    private JobLine() {}

    /** {@code removing: 120000 of 300000 entries, 40 %, 52000.0/s, 3s left}. */
    static String of(JobReport job) {
        StringBuilder line =
                new StringBuilder(job.phase()).append(": ").append(count(job, job.done()));
        if (job.total() > 0) {
            line.append(" of ").append(count(job, job.total()));
        }
        if (!job.unit().equals("bytes")) {
            line.append(' ').append(job.unit());
        }
        if (job.total() > 0) {
            line.append(String.format(Locale.ROOT, ", %.0f %%", 100.0 * job.done() / job.total()));
        }
        line.append(", ").append(rate(job));
        Long eta = job.etaSeconds();
        return eta == null ? line.toString() : line + ", " + duration(eta) + " left";
    }

    private static String count(JobReport job, long number) {
        return job.unit().equals("bytes") ? HumanUnits.bytes(number) : HumanUnits.count(number);
    }

    private static String rate(JobReport job) {
        return job.unit().equals("bytes")
                ? HumanUnits.bytes((long) job.perSecond()) + "/s"
                : String.format(Locale.ROOT, "%.0f/s", job.perSecond());
    }

    static String duration(long seconds) {
        Duration left = Duration.ofSeconds(seconds);
        return left.toHours() > 0
                ? left.toHours() + "h" + left.toMinutesPart() + "m"
                : left.toMinutes() > 0
                        ? left.toMinutes() + "m" + left.toSecondsPart() + "s"
                        : left.toSeconds() + "s";
    }
}
