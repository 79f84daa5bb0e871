package io.dedupstore.server.s3.logging;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.server.s3.LoggedRequest;
import io.dedupstore.server.s3.RequestLog;
import io.dedupstore.server.s3.S3Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers what requests to logged buckets leave behind, and delivers it as objects every now and
 * then. As in S3 delivery is a best effort: lines wait in memory, those of a crash are lost, and
 * beyond a bound new ones are dropped and counted. A log that can't be delivered is tried again
 * while there is room; one whose target is gone is dropped.
 *
 * <p>{@link #record} is called by any thread at the end of its request and does no I/O; {@link
 * #deliver} by one.
 */
public final class BucketLogs implements RequestLog {
    private static final Logger LOG = LoggerFactory.getLogger(BucketLogs.class);
    private static final long MAX_WAITING_CHARS = 16 << 20;
    private static final int MAX_OBJECT_CHARS = 4 << 20;
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyy-MM-dd-HH-mm-ss", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy/MM/dd", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ControlService control;
    private final LogDelivery delivery;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final String region;
    private final Object lock = new Object();
    private Map<BucketId, Waiting> waiting = new HashMap<>();
    private long waitingChars;
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /** Lines of one bucket, and when the first of them came. */
    private record Waiting(Bucket bucket, Instant since, List<String> lines) {}

    /** Makes an object of a log. */
    @FunctionalInterface
    public interface LogDelivery {
        /**
         * @return whether it is stored
         */
        boolean store(Bucket target, String key, byte[] text) throws IOException;
    }

    public BucketLogs(
            ControlService control,
            LogDelivery delivery,
            InstantSource clock,
            RandomGenerator random,
            String region) {
        this.control = control;
        this.delivery = delivery;
        this.clock = clock;
        this.random = random;
        this.region = region;
    }

    @Override
    public void record(LoggedRequest request) {
        try {
            add(request);
        } catch (RuntimeException e) {
            // The request has been answered; only its line is lost.
            dropped.incrementAndGet();
        }
    }

    private void add(LoggedRequest request) {
        Optional<S3Operation> operation = request.operation();
        Optional<String> name = operation.flatMap(BucketLogs::bucketOf);
        if (name.isEmpty()) {
            return;
        }
        Optional<Bucket> bucket = control.findBucket(name.get());
        if (bucket.isEmpty() || target(bucket.get()).isEmpty()) {
            return;
        }
        add(bucket.get(), LogLine.of(request, clock.instant(), operation.get(), bucket.get()));
    }

    private Optional<LoggingTarget> target(Bucket bucket) {
        return control.bucketConfiguration(bucket.id(), LoggingTarget.CONFIGURATION)
                .filter(document -> document.length > 0)
                .flatMap(LoggingTarget::parse);
    }

    private static Optional<String> bucketOf(S3Operation operation) {
        return switch (operation) {
            case S3Operation.OfService o -> Optional.empty();
            case S3Operation.OfBucket o -> Optional.of(o.bucket());
            case S3Operation.OfObject o -> Optional.of(o.bucket());
        };
    }

    private void add(Bucket bucket, String line) {
        synchronized (lock) {
            if (waitingChars + line.length() > MAX_WAITING_CHARS) {
                dropped.incrementAndGet();
                return;
            }
            waitingChars += line.length();
            waiting.computeIfAbsent(
                            bucket.id(),
                            id -> new Waiting(bucket, clock.instant(), new ArrayList<>()))
                    .lines()
                    .add(line);
        }
    }

    /**
     * Delivers all that waits.
     *
     * @return false: the next time has time
     */
    public boolean deliver() {
        Map<BucketId, Waiting> taken;
        synchronized (lock) {
            taken = waiting;
            waiting = new HashMap<>();
            waitingChars = 0;
        }
        for (Waiting log : taken.values()) {
            try {
                deliver(log);
            } catch (IOException | RuntimeException e) {
                LOG.warn(
                        "the log of bucket {} waits for the next delivery", log.bucket().name(), e);
                log.lines().forEach(line -> add(log.bucket(), line));
            }
        }
        return false;
    }

    private void deliver(Waiting log) throws IOException {
        Optional<LoggingTarget> target = target(log.bucket());
        Optional<Bucket> bucket = target.flatMap(t -> control.findBucket(t.bucket()));
        if (target.isEmpty()
                || bucket.isEmpty()
                || !bucket.get().owner().equals(log.bucket().owner())) {
            dropped.addAndGet(log.lines().size());
            return;
        }
        int from = 0;
        while (from < log.lines().size()) {
            StringBuilder text = new StringBuilder();
            int to = from;
            while (to < log.lines().size() && text.length() < MAX_OBJECT_CHARS) {
                text.append(log.lines().get(to++)).append('\n');
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            if (delivery.store(bucket.get(), key(target.get(), log), bytes)) {
                delivered.addAndGet(to - from);
            } else {
                dropped.addAndGet(to - from);
            }
            from = to;
        }
    }

    private String key(LoggingTarget target, Waiting log) {
        Instant now = clock.instant();
        String name = SECOND.format(now) + "-" + "%016X".formatted(random.nextLong());
        return target.prefix()
                + switch (target.keys()) {
                    case SIMPLE -> name;
                    case BY_EVENT_TIME -> partition(log, log.since()) + name;
                    case BY_DELIVERY_TIME -> partition(log, now) + name;
                };
    }

    private String partition(Waiting log, Instant day) {
        Bucket bucket = log.bucket();
        return String.join("/", bucket.owner(), region, bucket.name(), DAY.format(day)) + "/";
    }

    /** Lines that are in objects. */
    public long delivered() {
        return delivered.get();
    }

    /** Lines that were lost, for want of room or of a target. */
    public long dropped() {
        return dropped.get();
    }
}
