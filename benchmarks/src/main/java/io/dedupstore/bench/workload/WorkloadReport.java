package io.dedupstore.bench.workload;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A workload as it is beside what was asked. Duplicates are counted from the first bytes of each
 * record as objects give them, not from the plan.
 *
 * @param reached duplicates of the objects' first versions
 * @param savings of the first object's versions; empty where none were asked for
 */
record WorkloadReport(
        WorkloadSpec spec,
        List<Throughput> throughputs,
        ReachedDuplicates reached,
        List<Compressed> compressed,
        List<ChunkLengths> chunks,
        List<VersionSavings> savings) {
    private static final int HEAD_BYTES = 16;

    static WorkloadReport measure(WorkloadSpec spec, long timedBytes, int versions) {
        Workload workload = new Workload(spec);
        List<Throughput> throughputs =
                timedBytes == 0
                        ? List.of()
                        : List.of(
                                Throughput.generateHeap(workload, timedBytes),
                                Throughput.generateDirect(workload, timedBytes),
                                Throughput.generateAndVerify(workload, timedBytes));
        List<VersionSavings> savings = new ArrayList<>();
        if (versions > 0) {
            savings.addAll(VersionSavings.measure(workload, versions));
        }
        return new WorkloadReport(
                spec,
                throughputs,
                reached(workload),
                Compressed.measure(spec),
                ChunkLengths.measure(workload),
                savings);
    }

    private static ReachedDuplicates reached(Workload workload) {
        WorkloadSpec spec = workload.spec();
        ReachedDuplicates reached = new ReachedDuplicates(spec.locality().stretchRecords());
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        for (long number = 0; number < spec.objects(); number++) {
            WorkloadObject object = workload.object(number);
            long last = spec.objectBytes() - HEAD_BYTES;
            for (long at = 0; at <= last; at += spec.recordBytes()) {
                object.fill(at, head.clear());
                OptionalLong content = workload.recognise(head.flip());
                reached.add(content.orElseThrow());
            }
        }
        return reached;
    }
}
