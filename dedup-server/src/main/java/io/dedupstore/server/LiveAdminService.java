package io.dedupstore.server;

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
import io.dedupstore.core.chunking.ChunkingException;
import io.dedupstore.core.chunking.ChunkingSpec;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.compression.CompressionException;
import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.SessionRecord;
import io.dedupstore.core.fingerprint.HashEngine;
import io.dedupstore.core.fingerprint.HashSettings;
import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.core.metadata.MetadataService.BucketUsage;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.object.BufferBudget;
import io.dedupstore.server.admin.AdminException;
import io.dedupstore.server.admin.AdminService;
import io.dedupstore.server.admin.Readiness;
import io.dedupstore.server.config.Durability;
import io.dedupstore.server.config.ServerConfig;
import io.dedupstore.server.raft.RaftGroup;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.operation.BucketNames;
import io.dedupstore.server.storage.ScrubStatus;
import io.dedupstore.server.storage.StorageNode;
import io.dedupstore.server.storage.StorageStatistics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers the admin API from the live parts. */
final class LiveAdminService implements AdminService {
    private final ServerConfig config;
    private final NodeCore core;
    private final StorageNode storage;
    private final Background background;
    private final HashEngine engine;
    private final BufferBudget budget;
    private final String s3Endpoint;
    private final Instant started;
    private volatile Readiness readiness = Readiness.waitingFor("the server is starting");

    LiveAdminService(
            ServerConfig config,
            NodeCore core,
            StorageNode storage,
            Background background,
            HashEngine engine,
            BufferBudget budget,
            String s3Endpoint,
            InstantSource clock) {
        this.config = config;
        this.core = core;
        this.storage = storage;
        this.background = background;
        this.engine = engine;
        this.budget = budget;
        this.s3Endpoint = s3Endpoint;
        this.started = clock.instant();
    }

    void ready() {
        readiness = Readiness.READY;
    }

    void stopping() {
        readiness = Readiness.waitingFor("the server is stopping");
    }

    @Override
    public Readiness readiness() {
        return readiness;
    }

    @Override
    public StatsReport stats() {
        DedupTotals totals = DedupTotals.of(core);
        List<BucketReport> buckets = buckets().buckets();
        StorageStatistics files = storage.statistics();
        return new StatsReport(
                totals.usage(),
                totals.distinctChunks(),
                new StorageReport(
                        files.openContainers() + files.sealedContainers(),
                        files.openContainers(),
                        files.fileBytes(),
                        files.liveBytes(),
                        totals.metadataBytes(),
                        core.indexBytes(),
                        files.usableBytes()),
                buckets);
    }

    @Override
    public StatusReport status() {
        Runtime runtime = Runtime.getRuntime();
        Readiness now = readiness;
        return new StatusReport(
                Version.text(),
                core.control().clusterId(),
                started.toString(),
                s3Endpoint,
                config.storage().dataDirectory().toString(),
                now.ready(),
                now.reasons(),
                warnings(),
                core.groups().stream().map(LiveAdminService::group).toList(),
                new StatusReport.Memory(
                        runtime.totalMemory() - runtime.freeMemory(),
                        runtime.maxMemory(),
                        budget.bytesInUse(),
                        config.memory().requestsBytes()));
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (config.storage().durability() == Durability.RELAXED) {
            warnings.add("durability is relaxed: a power cut loses writes that were answered");
        }
        if (NativeLibrary.available() && !NativeLibrary.cpuLimit().isEmpty()) {
            warnings.add(
                    "native code uses less than the processor has: " + NativeLibrary.cpuLimit());
        }
        NativeLibrary.problem()
                .ifPresent(
                        problem -> warnings.add("the Java twins of the kernels run: " + problem));
        return warnings;
    }

    private static StatusReport.Group group(RaftGroup group) {
        RaftGroup.Position position = group.position();
        return new StatusReport.Group(
                group.name(),
                position.leader() ? "leader" : "starting",
                position.term(),
                position.committed(),
                position.applied());
    }

    @Override
    public HashReport hash() {
        return HashReports.report(config.hash().driver(), engine);
    }

    @Override
    public HashReport setHash(HashSetting wanted) {
        Integer primaries = wanted.primaries();
        if (primaries == null || primaries < 1 || primaries > HashSettings.MAX_PRIMARIES) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST,
                    "primaries is a number from 1 to " + HashSettings.MAX_PRIMARIES);
        }
        engine.setPrimaries(primaries);
        return hash();
    }

    @Override
    public BucketList buckets() {
        return new BucketList(core.control().allBuckets().stream().map(this::report).toList());
    }

    @Override
    public BucketReport createBucket(NewBucket wanted) {
        try {
            BucketNames.check(wanted.name());
            ChunkingSpec chunking = chunking(wanted.chunking());
            ChunkCodec compression = compression(wanted.compression());
            return report(
                    core.control()
                            .createBucket(
                                    wanted.name(),
                                    core.control().rootAccount().id(),
                                    chunking.format(),
                                    compression.format(),
                                    ""));
        } catch (S3Exception | ChunkingException | CompressionException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
        } catch (ControlException e) {
            throw refused(e);
        }
    }

    private ChunkingSpec chunking(@Nullable String text) {
        return text == null ? config.bucket().chunking() : ChunkingSpec.parse(text);
    }

    private ChunkCodec compression(@Nullable String text) {
        return text == null ? config.bucket().compression() : ChunkCodec.parse(text);
    }

    private static AdminException refused(ControlException e) {
        AdminException.Code code =
                switch (e.code()) {
                    case BUCKET_EXISTS, BUCKET_EXISTS_OWNED_BY_YOU, TOO_MANY_BUCKETS ->
                            AdminException.Code.CONFLICT;
                    case NO_SUCH_BUCKET -> AdminException.Code.NOT_FOUND;
                    default -> AdminException.Code.UNAVAILABLE;
                };
        return new AdminException(code, String.valueOf(e.getMessage()), e);
    }

    @Override
    public SessionList sessions() {
        int closed = core.control().closedEpoch();
        List<SessionList.Session> sessions = new ArrayList<>();
        for (SessionRecord record : core.control().sessions()) {
            int epoch = record.session().epoch();
            sessions.add(
                    new SessionList.Session(
                            epoch,
                            record.session().session(),
                            !record.ended() ? "open" : epoch > closed ? "closing" : "closed",
                            background.openIntents(epoch)));
        }
        return new SessionList(sessions.reversed());
    }

    @Override
    public CompactionReport compact() {
        StorageStatistics before = storage.statistics();
        storage.compactNow();
        StorageStatistics after = storage.statistics();
        return new CompactionReport(
                before.openContainers() + before.sealedContainers(),
                after.compactedContainers() - before.compactedContainers(),
                after.deletedContainers() - before.deletedContainers(),
                Math.max(0, before.fileBytes() - after.fileBytes()));
    }

    @Override
    public ScrubReport startScrub() {
        storage.startScrub();
        return scrub();
    }

    @Override
    public ScrubReport scrub() {
        ScrubStatus now = storage.scrubStatus();
        return new ScrubReport(
                now.running() ? ScrubReport.RUNNING : ScrubReport.IDLE,
                instant(now.startedMillis()),
                instant(now.endedMillis()),
                now.containers(),
                now.allContainers(),
                now.records(),
                now.bytes(),
                now.allBytes(),
                now.damaged(),
                now.damagedNow(),
                now.named().stream().map(ChunkAddress::toString).toList(),
                now.bytesPerSecond());
    }

    private static @Nullable String instant(long millis) {
        return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
    }

    private BucketReport report(Bucket bucket) {
        BucketUsage usage = core.metadata().usage(bucket.id());
        return new BucketReport(
                bucket.name(),
                bucket.chunking(),
                bucket.compression(),
                Instant.ofEpochMilli(bucket.createdMillis()).toString(),
                new UsageReport(
                        usage.objects(),
                        usage.uploads(),
                        usage.logicalBytes(),
                        usage.inlineBytes(),
                        usage.referencedChunkBytes(),
                        usage.chunks(),
                        usage.firstWrittenBytes() + usage.zeroDistinctBytes()));
    }
}
