package io.dedupstore.bench.workload;

/** Each record has a content of its own, with the record's number. */
record UniquePlan() implements RecordPlan {
    @Override
    public long content(long record) {
        return record;
    }
}
