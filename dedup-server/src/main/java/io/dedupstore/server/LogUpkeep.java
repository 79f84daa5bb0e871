package io.dedupstore.server;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.cluster.PeriodicWork;
import io.dedupstore.server.metrics.MetricRegistry;
import io.dedupstore.server.s3.OwnUpload;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operations;
import io.dedupstore.server.s3.logging.BucketLogs;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers logs of buckets, every few minutes and at the end. */
final class LogUpkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogUpkeep.class);

    private final S3Operations operations;
    private final RandomGenerator random;
    private final BucketLogs logs;
    private final PeriodicWork loop;

    LogUpkeep(
            NodeCore core,
            S3Operations operations,
            InstantSource clock,
            RandomGenerator random,
            String region,
            Duration interval) {
        this.operations = operations;
        this.random = random;
        this.logs = new BucketLogs(core.control(), this::store, clock, random, region);
        this.loop = new PeriodicWork("bucket-logs", interval, logs::deliver);
    }

    BucketLogs logs() {
        return logs;
    }

    void start() {
        loop.start();
    }

    void register(MetricRegistry metrics) {
        metrics.counter(
                "dedup_bucket_log_lines_total",
                "Requests that logs of buckets tell of.",
                logs::delivered);
        metrics.counter(
                "dedup_bucket_log_lost_lines_total",
                "Requests that are in no log, for want of room or of a target.",
                logs::dropped);
    }

    /** What the target refuses is lost; what fails otherwise is tried again. */
    private boolean store(Bucket target, String key, byte[] text) throws IOException {
        Principal owner = new Principal.Account(target.owner(), "log-delivery");
        try {
            new OwnUpload(target, key, "text/plain", text, owner).send(operations, random);
            return true;
        } catch (S3Exception e) {
            LOG.warn("bucket {} takes no logs: {}", target.name(), e.error().code());
            return false;
        }
    }

    /** Delivers what is there. */
    @Override
    public void close() {
        loop.close();
        logs.deliver();
    }
}
