package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.server.s3.S3Exception;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rules of buckets, read anew only when their document has changed. Any number of threads. */
public final class LifecycleCache {
    public static final String CONFIGURATION = "lifecycle";
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleCache.class);
    private static final int MAX_ENTRIES = 10_000;

    private final ControlService control;
    private final Map<BucketId, Read> entries = new ConcurrentHashMap<>();

    private record Read(byte[] document, Optional<LifecycleRules> rules) {}

    public LifecycleCache(ControlService control) {
        this.control = control;
    }

    /** Empty where a bucket has none. */
    public Optional<LifecycleRules> find(BucketId bucket) {
        Optional<byte[]> document = control.bucketConfiguration(bucket, CONFIGURATION);
        if (document.isEmpty()) {
            entries.remove(bucket);
            return Optional.empty();
        }
        Read known = entries.get(bucket);
        if (known == null || !Arrays.equals(known.document(), document.get())) {
            if (entries.size() >= MAX_ENTRIES) {
                entries.clear();
            }
            known = read(bucket, document.get());
            entries.put(bucket, known);
        }
        return known.rules();
    }

    /** What can't be read any more, since this release takes less, is no rule, and no failure. */
    private static Read read(BucketId bucket, byte[] document) {
        try {
            return new Read(document, Optional.of(LifecycleRules.parse(document)));
        } catch (S3Exception e) {
            LOG.warn("life-cycle rules of bucket {} can't be read and rest", bucket, e);
            return new Read(document, Optional.empty());
        }
    }
}
