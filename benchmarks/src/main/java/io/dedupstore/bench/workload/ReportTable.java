package io.dedupstore.bench.workload;

import io.dedupstore.bench.workload.DuplicateDistribution.Bucket;
import java.util.Locale;
import java.util.stream.Collectors;

/** A report for people. */
final class ReportTable {
    private final WorkloadReport report;
    private final StringBuilder text = new StringBuilder();

    private ReportTable(WorkloadReport report) {
        this.report = report;
    }

    static String of(WorkloadReport report) {
        ReportTable result = new ReportTable(report);
        result.spec();
        result.throughput();
        result.duplicates();
        result.compression();
        result.chunks();
        result.versions();
        return result.text.toString();
    }

    private void line(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private void spec() {
        WorkloadSpec spec = report.spec();
        line(
                "%s: %,d objects of %,d bytes in records of %,d; seed %d",
                spec.duplicates().name(),
                spec.objects(),
                spec.objectBytes(),
                spec.recordBytes(),
                spec.seed());
    }

    private void throughput() {
        if (report.throughputs().isEmpty()) {
            return;
        }
        line("%n%-24s %10s %14s %10s", "one thread", "GB", "GB/s per core", "GB/s");
        for (Throughput rate : report.throughputs()) {
            line(
                    "%-24s %10.2f %14.2f %10.2f",
                    rate.what(),
                    rate.bytes() / 1e9,
                    rate.gigabytesPerCpuSecond(),
                    rate.gigabytesPerSecond());
        }
    }

    private void duplicates() {
        ReachedDuplicates reached = report.reached();
        DuplicateDistribution asked = report.spec().duplicates();
        if (asked.buckets().isEmpty()) {
            line("%n%,d records, %,d contents", reached.records(), reached.distinct());
            return;
        }
        line("%n%-24s %10s %10s %12s %10s", "", "records %", "reached", "contents %", "reached");
        for (Bucket bucket : asked.buckets()) {
            line(
                    "%-24s %10.3f %10.3f %12.3f %10.3f",
                    bucket.label() + " duplicates",
                    bucket.shareOfRecords(),
                    reached.shareOfRecords(bucket),
                    bucket.shareOfContents(),
                    reached.shareOfContents(bucket));
        }
        line("%n%-24s %10s %10s", "", "asked", "reached");
        line("%-24s %10.3f %10.3f", "records per content", asked.ratio(), reached.ratio());
        line(
                "%-24s %10s %10.3f",
                "largest content, %", largestAsked(asked), 100 * reached.largestShare());
        Locality locality = report.spec().locality();
        line("%-24s %10.2f %10.2f", "mean run, records", locality.meanRun(), reached.meanRun());
        line(
                "%-24s %10.3f %10.3f",
                "within " + locality.stretchRecords() + " records",
                locality.recentShare(),
                reached.recentShare());
    }

    private void compression() {
        line("%n%-24s %10s %10s", "compression", "asked", "reached");
        for (Compressed result : report.compressed()) {
            line(
                    "%-24s %10.3f %10.3f",
                    "%s, %d bytes".formatted(result.codec().format(), result.bytes()),
                    report.spec().compressionRatio(),
                    result.ratio());
        }
    }

    private void chunks() {
        line("%n%-24s %10s", "chunks", "mean bytes");
        for (ChunkLengths lengths : report.chunks()) {
            line("%-24s %10.0f", lengths.chunking().format(), lengths.meanBytes());
        }
    }

    private void versions() {
        if (report.savings().isEmpty()) {
            return;
        }
        line(
                "%n%-10s %14s %14s %s",
                "version",
                "bytes",
                "changed",
                VersionSavings.CHUNKINGS.stream()
                        .map(chunking -> "%22s".formatted("known % " + chunking.format()))
                        .collect(Collectors.joining()));
        for (VersionSavings version : report.savings()) {
            line(
                    "%-10d %14d %14d %s",
                    version.version(),
                    version.length(),
                    version.changedBytes(),
                    version.knownShares().stream()
                            .map(share -> String.format(Locale.ROOT, "%22.2f", 100 * share))
                            .collect(Collectors.joining()));
        }
    }

    private static String largestAsked(DuplicateDistribution asked) {
        return asked.largestCopies() == 0
                ? "-"
                : String.format(
                        Locale.ROOT, "%.3f", 100.0 * asked.largestCopies() / asked.records());
    }
}
