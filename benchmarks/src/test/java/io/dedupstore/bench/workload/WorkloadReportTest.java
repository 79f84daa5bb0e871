package io.dedupstore.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkloadReportTest {
    private final WorkloadSpec spec =
            WorkloadSpec.unique(1, 8192, 1)
                    .withObjects(8, 4 << 20)
                    .withDuplicates(DuplicateDistribution.KERNELS, Locality.TYPICAL)
                    .withCompressionRatio(2)
                    .withEdits(Edits.TYPICAL);

    @Test
    void whatIsCountedInTheBytesIsWhatWasPlanned() {
        WorkloadReport report = WorkloadReport.measure(spec, 0, 0);
        Workload workload = new Workload(spec);
        ReachedDuplicates planned = new ReachedDuplicates(4096);
        for (long record = 0; record < spec.records(); record++) {
            planned.add(workload.content(record));
        }
        assertThat(report.reached().distinct()).isEqualTo(planned.distinct());
        assertThat(report.reached().meanRun()).isEqualTo(planned.meanRun());
        assertThat(report.savings()).isEmpty();
        assertThat(report.throughputs()).isEmpty();
    }

    @Test
    void contentDefinedChunksOutliveAShiftAndFixedOnesDoNot() {
        WorkloadSpec unique =
                WorkloadSpec.unique(1, 8192, 1)
                        .withObjects(1, 8 << 20)
                        .withEdits(new Edits(1, 0, 1, 0, 0, 1));
        var shifted = WorkloadReport.measure(unique, 0, 1).savings().get(1);
        assertThat(shifted.length()).isEqualTo((8 << 20) + 1);
        assertThat(shifted.knownShares().get(0)).isGreaterThan(0.99);
        assertThat(shifted.knownShares().get(1)).isZero();
    }

    @Test
    void bothFormsTellTheSame() {
        WorkloadReport report = WorkloadReport.measure(spec, 1 << 20, 1);
        String table = ReportTable.of(report);
        assertThat(table)
                .contains("kernels: 8 objects of 4,194,304 bytes in records of 8,192; seed 1")
                .contains("generate, direct", "5-9 duplicates", "mean run", "zstd, 8192 bytes");
        String json = ReportJson.of(report);
        assertThat(json)
                .startsWith("{\"seed\":1,\"record_bytes\":8192,")
                .contains("\"gigabytes_per_cpu_second\":")
                .contains("\"records\":4096,")
                .contains("\"duplicates\":\"10-31\",\"records_percent_asked\":19.534")
                .contains("\"codec\":\"lz4\",\"bytes\":65536")
                .contains("\"known_share\":{\"cdc:8k\":")
                .endsWith("]}");
    }
}
