package io.dedupstore.server.admin;

import io.dedupstore.client.admin.HistogramReport;
import io.dedupstore.client.admin.IndexReport;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.QuotaReport;
import io.dedupstore.client.admin.QuotaSetting;

/**
 * What operators can ask of the fingerprint index. As {@link AdminService}; what takes long is
 * begun as a job and answered at once. CONFLICT when one of the kind is running.
 */
public interface IndexService {
    IndexReport index();

    HistogramReport histogram();

    QuotaReport quota();

    /** In force when it returns. */
    QuotaReport setQuota(QuotaSetting setting);

    JobReport prune(PruneRequest request);

    /** What a preload reads. */
    enum Preload {
        /** Every table, sequentially, into the page cache. */
        ALL,
        /** Filters and table indexes. */
        FILTERS
    }

    JobReport preload(Preload what);

    JobReport shrink();

    /** Writes what is only in logs and memory to tables. */
    JobReport drain();

    /** Makes the index anew from manifests. */
    JobReport rebuild();

    /**
     * @param differences how many are named at most
     */
    JobReport verify(int differences);
}
