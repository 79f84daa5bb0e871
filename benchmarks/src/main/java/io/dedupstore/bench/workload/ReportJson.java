package io.dedupstore.bench.workload;

import io.dedupstore.bench.workload.DuplicateDistribution.Bucket;
import io.dedupstore.core.chunking.ChunkingSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report for programs. */
final class ReportJson {
    private ReportJson() {}

    static String of(WorkloadReport report) {
        WorkloadSpec spec = report.spec();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("seed", spec.seed());
        all.put("record_bytes", spec.recordBytes());
        all.put("object_bytes", spec.objectBytes());
        all.put("objects", spec.objects());
        all.put("distribution", spec.duplicates().name());
        all.put("throughput", report.throughputs().stream().map(ReportJson::fields).toList());
        all.put("duplicates", duplicateFields(report));
        all.put("locality", localityFields(report));
        all.put("compression_ratio_asked", spec.compressionRatio());
        all.put("compression", report.compressed().stream().map(ReportJson::fields).toList());
        all.put("chunks", report.chunks().stream().map(ReportJson::fields).toList());
        all.put("versions", report.savings().stream().map(ReportJson::fields).toList());
        return Json.of(all);
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

    private static Map<String, Object> fields(ChunkLengths lengths) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("chunking", lengths.chunking().format());
        fields.put("mean_bytes", lengths.meanBytes());
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
