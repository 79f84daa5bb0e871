package io.dedupstore.bench.workload;

import io.dedupstore.bench.workload.DuplicateDistribution.Bucket;
import io.dedupstore.core.chunking.ChunkingSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report for people and for programs. */
final class ReportText {
    private final WorkloadReport report;
    private final StringBuilder text = new StringBuilder();

    private ReportText(WorkloadReport report) {
        this.report = report;
    }

    static String table(WorkloadReport report) {
        ReportText result = new ReportText(report);
        result.spec();
        result.throughput();
        result.duplicates();
        result.compression();
        result.versions();
        return result.text.toString();
    }

    static String json(WorkloadReport report) {
        WorkloadSpec spec = report.spec();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("seed", spec.seed());
        all.put("record_bytes", spec.recordBytes());
        all.put("object_bytes", spec.objectBytes());
        all.put("objects", spec.objects());
        all.put("distribution", spec.duplicates().name());
        all.put("throughput", report.throughputs().stream().map(ReportText::fields).toList());
        all.put("duplicates", duplicateFields(report));
        all.put("locality", localityFields(report));
        all.put("compression_ratio_asked", spec.compressionRatio());
        all.put("compression", report.compressed().stream().map(ReportText::fields).toList());
        all.put("versions", report.savings().stream().map(ReportText::fields).toList());
        return Json.of(all);
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

    private static Map<String, Object> fields(Throughput rate) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("what", rate.what());
        fields.put("bytes", rate.bytes());
        fields.put("wall_seconds", rate.wallSeconds());
        fields.put("cpu_seconds", rate.cpuSeconds());
        fields.put("gigabytes_per_cpu_second", rate.gigabytesPerCpuSecond());
        return fields;
    }

    private static Map<String, Object> duplicateFields(WorkloadReport report) {
        ReachedDuplicates reached = report.reached();
        List<Object> buckets = new ArrayList<>();
        for (Bucket bucket : report.spec().duplicates().buckets()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("duplicates", bucket.label());
            fields.put("records_percent_asked", bucket.shareOfRecords());
            fields.put("records_percent", reached.shareOfRecords(bucket));
            fields.put("contents_percent_asked", bucket.shareOfContents());
            fields.put("contents_percent", reached.shareOfContents(bucket));
            buckets.add(fields);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("records", reached.records());
        all.put("contents", reached.distinct());
        all.put("ratio_asked", report.spec().duplicates().ratio());
        all.put("ratio", reached.ratio());
        all.put("largest_content_share", reached.largestShare());
        all.put("buckets", buckets);
        return all;
    }

    private static Map<String, Object> localityFields(WorkloadReport report) {
        Locality asked = report.spec().locality();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("mean_run_asked", asked.meanRun());
        fields.put("mean_run", report.reached().meanRun());
        fields.put("recent_records", asked.stretchRecords());
        fields.put("recent_share_asked", asked.recentShare());
        fields.put("recent_share", report.reached().recentShare());
        return fields;
    }

    private static Map<String, Object> fields(Compressed result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("codec", result.codec().format());
        fields.put("bytes", result.bytes());
        fields.put("ratio", result.ratio());
        return fields;
    }

    private static Map<String, Object> fields(VersionSavings version) {
        Map<String, Object> known = new LinkedHashMap<>();
        for (int i = 0; i < VersionSavings.CHUNKINGS.size(); i++) {
            ChunkingSpec chunking = VersionSavings.CHUNKINGS.get(i);
            known.put(chunking.format(), version.knownShares().get(i));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", version.version());
        fields.put("bytes", version.length());
        fields.put("changed_bytes", version.changedBytes());
        fields.put("known_share", known);
        return fields;
    }
}
