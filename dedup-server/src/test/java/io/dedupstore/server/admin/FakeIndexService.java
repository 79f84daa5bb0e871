package io.dedupstore.server.admin;

import io.dedupstore.client.admin.HistogramReport;
import io.dedupstore.client.admin.IndexReport;
import io.dedupstore.client.admin.JobList;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.QuotaReport;
import io.dedupstore.client.admin.QuotaSetting;
import java.util.ArrayList;
import java.util.List;

/** Writes down what it is asked, and says that job 7 was begun. */
final class FakeIndexService implements IndexService, JobService {
    static final long JOB = 7;

    final List<Object> asked = new ArrayList<>();
    private boolean running;

    private JobReport begin(Object what) {
        if (running) {
            throw new AdminException(AdminException.Code.CONFLICT, "job 7 is still running");
        }
        running = true;
        asked.add(what);
        return job(JOB);
    }

    @Override
    public IndexReport index() {
        return new IndexReport(
                new IndexReport.Entries(3, 2, 1, 0, 0),
                0,
                0,
                new IndexReport.Disk(210, 300, 0, 70.0, 1, 0, false, 1, 0),
                new IndexReport.Memory(6, 2.0, 0),
                quota(),
                new IndexReport.Pruning(0, 0, 0, 0, 0, 0),
                new IndexReport.Audit(true, 1, 0),
                0,
                0,
                false);
    }

    @Override
    public HistogramReport histogram() {
        return new HistogramReport(0, 0, List.of());
    }

    @Override
    public QuotaReport quota() {
        return new QuotaReport("auto", null, 3, false);
    }

    @Override
    public QuotaReport setQuota(QuotaSetting setting) {
        asked.add(setting);
        return quota();
    }

    @Override
    public JobReport prune(PruneRequest request) {
        return begin(request);
    }

    @Override
    public JobReport preload(Preload what) {
        return begin(what);
    }

    @Override
    public JobReport drain() {
        return begin("drain");
    }

    @Override
    public JobReport rebuild() {
        return begin("rebuild");
    }

    @Override
    public JobReport shrink() {
        return begin("shrink");
    }

    @Override
    public JobReport verify(int differences) {
        return begin("verify " + differences);
    }

    @Override
    public JobList jobs() {
        return new JobList(List.of(job(JOB)));
    }

    @Override
    public JobReport job(long id) {
        if (id != JOB) {
            throw new AdminException(AdminException.Code.NOT_FOUND, "there is no job " + id);
        }
        return new JobReport(
                id,
                "index-prune",
                "admin",
                "running",
                "counting ages",
                "entries",
                1,
                2,
                1,
                1L,
                List.of(),
                0,
                "2026-01-01T00:00:00Z",
                null,
                null);
    }

    @Override
    public JobReport cancel(long id) {
        asked.add("cancel " + id);
        return job(id);
    }
}
