package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.maintenance.RatePacer;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.ListedVersion;
import io.dedupstore.core.metadata.MetadataService.UploadMarker;
import io.dedupstore.core.metadata.MetadataService.UploadPage;
import io.dedupstore.core.metadata.MetadataService.VersionMarker;
import io.dedupstore.core.metadata.MetadataService.VersionPage;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.V;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the life-cycle rules of all buckets. A run goes over the versions and uploads that
 * rules are about, page by page, and does what {@link LifecycleDecider} says. What it does is
 * conditional on the very version it looked at, so that nothing a client wrote meanwhile is hit;
 * and it keeps no state of its own: a run that broke off is made up for by the next, which finds
 * what is still there. A bucket or action that fails does not stop the others.
 *
 * <p>Actions are paced. They run side by side, a few at once, so that a shard can put them into few
 * log entries. {@link #step} is for one thread; {@link #close} and {@link #status} for any.
 */
public final class LifecycleWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleWorker.class);
    private static final int PAGE = 1000;
    private static final int PARALLEL = 32;

    private final ControlService control;
    private final MetadataService metadata;
    private final Supplier<V> attempts;
    private final Function<Bucket, Versioning> versioning;
    private final InstantSource clock;
    private final ExpiryDates dates;
    private final RatePacer pacer;
    private final LifecycleCache rules;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Semaphore places = new Semaphore(PARALLEL);

    private volatile String bucketNow = "";
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong looked = new AtomicLong();
    private final AtomicLong expired = new AtomicLong();
    private final AtomicLong removed = new AtomicLong();
    private final AtomicLong tidied = new AtomicLong();
    private final AtomicLong aborted = new AtomicLong();
    private final AtomicLong locked = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /**
     * @param attempts a new V at each call
     * @param versioning how a bucket keeps versions now
     * @param actionsPerSecond at most
     */
    public LifecycleWorker(
            ControlService control,
            MetadataService metadata,
            Supplier<V> attempts,
            Function<Bucket, Versioning> versioning,
            InstantSource clock,
            ExpiryDates dates,
            long actionsPerSecond) {
        this.control = control;
        this.metadata = metadata;
        this.attempts = attempts;
        this.versioning = versioning;
        this.clock = clock;
        this.dates = dates;
        this.pacer = new RatePacer(actionsPerSecond);
        this.rules = new LifecycleCache(control);
    }

    /**
     * One run over all buckets.
     *
     * @return false: the next one has time
     */
    public boolean step() {
        LifecycleStatus before = status();
        for (Bucket bucket : control.allBuckets()) {
            if (isClosing()) {
                break;
            }
            bucketNow = bucket.name();
            try {
                rules.find(bucket.id())
                        .map(LifecycleRules::enabled)
                        .filter(enabled -> !enabled.isEmpty())
                        .ifPresent(enabled -> run(bucket, enabled));
            } catch (RuntimeException e) {
                failed.incrementAndGet();
                LOG.warn("life-cycle rules of bucket {} wait for the next run", bucket.name(), e);
            }
        }
        bucketNow = "";
        runs.incrementAndGet();
        report(before, status());
        return false;
    }

    private static void report(LifecycleStatus before, LifecycleStatus after) {
        long done =
                after.expired()
                        + after.removed()
                        + after.tidied()
                        + after.aborted()
                        - before.expired()
                        - before.removed()
                        - before.tidied()
                        - before.aborted();
        if (done > 0) {
            LOG.info(
                    "life-cycle rules: {} objects expired, {} versions and {} delete markers"
                            + " removed, {} uploads aborted",
                    after.expired() - before.expired(),
                    after.removed() - before.removed(),
                    after.tidied() - before.tidied(),
                    after.aborted() - before.aborted());
        }
    }

    private void run(Bucket bucket, List<LifecycleRule> enabled) {
        Instant now = clock.instant();
        List<LifecycleRule> ofVersions =
                enabled.stream()
                        .filter(r -> r.expiration().isPresent() || r.noncurrent().isPresent())
                        .toList();
        for (String prefix : prefixes(ofVersions)) {
            scan(bucket, prefix, new LifecycleDecider(ofVersions, dates, now));
        }
        List<LifecycleRule> ofUploads =
                enabled.stream().filter(r -> r.abortAfterDays().isPresent()).toList();
        for (String prefix : prefixes(ofUploads)) {
            abortUploads(bucket, prefix, ofUploads, now);
        }
    }

    /** Where rules have to look: none of them is below another. */
    private static List<String> prefixes(List<LifecycleRule> rules) {
        List<String> found = new ArrayList<>();
        for (String prefix : rules.stream().map(r -> r.filter().prefix()).sorted().toList()) {
            if (found.isEmpty() || !prefix.startsWith(found.getLast())) {
                found.add(prefix);
            }
        }
        return found;
    }

    private void scan(Bucket bucket, String prefix, LifecycleDecider decider) {
        Optional<VersionMarker> after = Optional.empty();
        VersionPage page;
        do {
            page = metadata.listVersions(bucket.id(), prefix, Optional.empty(), after, PAGE);
            List<LifecycleAction> actions = new ArrayList<>();
            for (ListedVersion line : page.lines()) {
                if (line instanceof ListedVersion.Version(ObjectVersion version, boolean latest)) {
                    actions.addAll(decider.next(version, latest));
                }
            }
            if (!page.truncated()) {
                decider.end().ifPresent(actions::add);
            }
            looked.addAndGet(page.lines().size());
            perform(actions.stream().<Runnable>map(action -> () -> act(bucket, action)).toList());
            after = page.next();
        } while (page.truncated() && after.isPresent() && !isClosing());
    }

    private void act(Bucket bucket, LifecycleAction action) {
        ObjectVersion version = action.version();
        Precondition same = new Precondition.MadeBy(version.v());
        switch (action) {
            case LifecycleAction.Expire expire -> {
                metadata.deleteObject(
                        attempts.get(), bucket.id(), version.key(), versioning.apply(bucket), same);
                expired.incrementAndGet();
            }
            case LifecycleAction.Remove remove -> {
                remove(bucket, version, same);
                removed.incrementAndGet();
            }
            case LifecycleAction.Tidy tidy -> {
                remove(bucket, version, same);
                tidied.incrementAndGet();
            }
        }
    }

    private void remove(Bucket bucket, ObjectVersion version, Precondition same) {
        metadata.deleteVersion(
                attempts.get(), bucket.id(), version.key(), version.id(), false, same);
    }

    private void abortUploads(
            Bucket bucket, String prefix, List<LifecycleRule> ofUploads, Instant now) {
        Optional<UploadMarker> after = Optional.empty();
        UploadPage page;
        do {
            page = metadata.listUploads(bucket.id(), prefix, Optional.empty(), after, PAGE);
            perform(
                    page.uploads().stream()
                            .filter(upload -> isOver(upload, ofUploads, now))
                            .<Runnable>map(upload -> () -> abort(bucket, upload))
                            .toList());
            after = page.next();
        } while (page.truncated() && after.isPresent() && !isClosing());
    }

    private boolean isOver(Upload upload, List<LifecycleRule> ofUploads, Instant now) {
        return ofUploads.stream()
                .filter(rule -> rule.filter().matchesKey(upload.key().text()))
                .anyMatch(
                        rule ->
                                !now.isBefore(
                                        dates.after(
                                                upload.initiatedMillis(),
                                                rule.abortAfterDays().orElseThrow())));
    }

    private void abort(Bucket bucket, Upload upload) {
        metadata.abortUpload(attempts.get(), bucket.id(), upload.key(), upload.id());
        aborted.incrementAndGet();
    }

    /** Runs them side by side, paced, and returns when all have ended. */
    private void perform(List<Runnable> actions) {
        if (actions.isEmpty()) {
            return;
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Runnable action : actions) {
                if (!awaitTurn()) {
                    return;
                }
                threads.execute(() -> attempt(action));
            }
        }
    }

    /** False when the worker is closed. */
    private boolean awaitTurn() {
        try {
            long nanos = pacer.spend(1, System.nanoTime());
            if (closing.await(nanos, TimeUnit.NANOSECONDS)) {
                return false;
            }
            places.acquire();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void attempt(Runnable action) {
        try {
            action.run();
        } catch (MetadataException e) {
            switch (e.code()) {
                // A client was there first.
                case PRECONDITION_FAILED,
                        NO_SUCH_KEY,
                        NO_SUCH_VERSION,
                        NO_SUCH_UPLOAD,
                        NO_SUCH_BUCKET -> {}
                case LOCKED -> locked.incrementAndGet();
                default -> failed(e);
            }
        } catch (RuntimeException e) {
            failed(e);
        } finally {
            places.release();
        }
    }

    private void failed(RuntimeException e) {
        if (Long.bitCount(failed.incrementAndGet()) == 1) {
            LOG.warn("an action of a life-cycle rule failed; the next run tries again", e);
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0 || Thread.currentThread().isInterrupted();
    }

    public LifecycleStatus status() {
        return new LifecycleStatus(
                runs.get(),
                bucketNow,
                looked.get(),
                expired.get(),
                removed.get(),
                tidied.get(),
                aborted.get(),
                locked.get(),
                failed.get());
    }

    /** Lets actions that run end, begins no others. */
    @Override
    public void close() {
        closing.countDown();
    }
}
