package io.dedupstore.server.admin;

import io.dedupstore.client.admin.BucketList;
import io.dedupstore.client.admin.BucketReport;
import io.dedupstore.client.admin.CompactionReport;
import io.dedupstore.client.admin.HashReport;
import io.dedupstore.client.admin.HashSetting;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.ScrubReport;
import io.dedupstore.client.admin.SessionList;
import io.dedupstore.client.admin.StatsReport;
import io.dedupstore.client.admin.StatusReport;
import io.dedupstore.client.admin.StorageReport;
import io.dedupstore.client.admin.UsageReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Answers with what a store of zeros would say. */
final class FakeAdminService implements AdminService {
    static final UsageReport ZEROS =
            new UsageReport(1, 0, 100L << 30, 0, 100L << 30, 819_200, 128 << 10);

    int scrubs;
    int primaries;
    final List<BucketReport> created = new ArrayList<>();
    Readiness readiness = Readiness.READY;

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public StatsReport stats() {
        return new StatsReport(ZEROS, 1, new StorageReport(0, 0, 0, 0, 4096, 4096, 1), created);
    }

    @Override
    public StatusReport status() {
        throw new IllegalStateException("a secret of the inside");
    }

    @Override
    public HashReport hash() {
        return new HashReport("jdk", "absent", "auto", false, primaries, List.of(), List.of());
    }

    @Override
    public HashReport setHash(HashSetting setting) {
        primaries = Objects.requireNonNullElse(setting.primaries(), 0);
        return hash();
    }

    @Override
    public BucketList buckets() {
        return new BucketList(created);
    }

    @Override
    public BucketReport createBucket(NewBucket bucket) {
        if (created.stream().anyMatch(there -> there.name().equals(bucket.name()))) {
            throw new AdminException(AdminException.Code.CONFLICT, "there is one already");
        }
        BucketReport report =
                new BucketReport(
                        bucket.name(),
                        Objects.requireNonNullElse(bucket.chunking(), "cdc:64k"),
                        Objects.requireNonNullElse(bucket.compression(), "lz4"),
                        "2026-01-01T00:00:00Z",
                        new UsageReport(0, 0, 0, 0, 0, 0, 0));
        created.add(report);
        return report;
    }

    @Override
    public SessionList sessions() {
        return new SessionList(List.of());
    }

    @Override
    public CompactionReport compact() {
        return new CompactionReport(1, 1, 0, 42);
    }

    @Override
    public ScrubReport scrub() {
        return new ScrubReport(
                scrubs == 0 ? ScrubReport.IDLE : ScrubReport.RUNNING,
                null,
                null,
                0,
                1,
                0,
                0,
                4096,
                0,
                0,
                List.of(),
                16 << 20);
    }

    @Override
    public ScrubReport startScrub() {
        scrubs++;
        return scrub();
    }
}
