package io.dedupstore.bench.workload;

/** Which content each record of a workload has. Immutable for its users; any number of threads. */
sealed interface RecordPlan permits UniquePlan, StretchPlan {

    /** Number of a content, as {@link ContentBytes} wants it. */
    long content(long record);

    static RecordPlan of(WorkloadSpec spec) {
        return spec.duplicates().buckets().isEmpty()
                ? new UniquePlan()
                : new StretchPlan(spec.seed(), spec.records(), spec.duplicates(), spec.locality());
    }
}
