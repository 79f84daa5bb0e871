package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeLibrary;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one place where content is hashed, for all requests together.
 *
 * <p>A single SHA-256 or MD5 is serial; sixteen side by side cost hardly more than one. So callers,
 * virtual threads mostly, put jobs into queues and wait, and a few platform threads, the
 * <em>primaries</em>, take from a queue what one call of a kernel can run together, and run it.
 * Nothing is ever waited for to fill lanes, and there is no timer: a job that finds an idle primary
 * begins at once, alone, on the best driver for single streams. Lanes fill by themselves with what
 * comes while the primaries are busy. The fewer primaries, the fuller the lanes and the longer the
 * wait: that is the one knob, {@link #setPrimaries}.
 *
 * <p>A caller that has other things to do with its bytes puts its update off ({@link
 * #updateLater}). Such a job begins no call, but fills lanes of one that others want; it becomes
 * wanted when its caller settles.
 *
 * <p>Long buffers run in segments of 64 KiB, after each of which the jobs that have come meanwhile
 * may join, short ones first; lanes whose job has ended are given to the next one. A job of a few
 * KiB therefore waits for one segment, not for the megabyte before it. How many of the waiting jobs
 * a call takes comes from a measurement at the start ({@link HashPlan}).
 *
 * <p>Queues are bounded: who finds {@value #MAX_WAITING} jobs waiting waits as well. Put off jobs
 * have a bound of their own, beyond which they are wanted at once, so that nobody waits for room
 * that only his own settling would make.
 *
 * <p>One lock guards the queues; it is never held while bytes are hashed. A job that has been taken
 * is its primary's until the segment ends. Whoever waits returns only when nobody reads his buffers
 * any more, also when he is interrupted or the engine is closed: jobs not begun are withdrawn then,
 * running ones end. What fails in a call fails the jobs of that call, in their callers' hands.
 *
 * <p>Any number of threads. Buffers are only read, between position and limit, and must stay
 * untouched until the call returns, or the pending update has been settled. Direct buffers are read
 * in place; those on the heap are hashed one after the other.
 */
public final class HashEngine implements AutoCloseable {
    /** Bytes of a SHA-256. */
    public static final int SHA256_LENGTH = 32;

    static final int MAX_WAITING = 4096;
    static final int MAX_PUT_OFF = 4096;

    /** Below this, going to a primary and back costs more than the digest. */
    private static final int INLINE_BYTES = 4096;

    /** A megabyte of short messages at most. */
    private static final int MESSAGE_ROWS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final JobQueue messages = JobQueue.messages(MESSAGE_ROWS);
    private final JobQueue alone = JobQueue.alone();
    private final Map<BlockHash, JobQueue> streams = new EnumMap<>(BlockHash.class);
    private final List<JobQueue> queues = new ArrayList<>(List.of(messages));
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch calibrated = new CountDownLatch(1);
    private volatile HashPlan plan;
    private int primaries;
    private int running;
    private int named;
    private long calls;
    private boolean shortsWereFirst;
    private boolean closed;

    private HashEngine(HashSettings settings) {
        boolean there = NativeLibrary.available();
        if (settings.driver() == HashDriver.NATIVE && !there) {
            throw new IllegalStateException(
                    "native hashing was asked for: " + NativeLibrary.problem().orElse(""));
        }
        for (BlockHash hash : BlockHash.values()) {
            JobQueue queue = JobQueue.streams(hash, HashPlan.MAX_ROWS);
            streams.put(hash, queue);
            queues.add(queue);
        }
        queues.add(alone);
        this.plan = HashPlan.unmeasured(settings.driver());
        if (there && settings.driver() == HashDriver.AUTO) {
            Thread.ofPlatform().daemon().name("hash-calibration").start(this::calibrate);
        } else {
            calibrated.countDown();
        }
        setPrimaries(settings.primaries());
    }

    /**
     * An engine with its threads. It calibrates beside its first work.
     *
     * @throws IllegalStateException native kernels were asked for and can't be had
     */
    public static HashEngine start(HashSettings settings) {
        return new HashEngine(settings);
    }

    private void calibrate() {
        try {
            plan = Calibration.run();
        } finally {
            calibrated.countDown();
        }
    }

    /** Returns when the plan is final, at most a tenth of a second after the start. */
    public void awaitCalibration() throws InterruptedException {
        calibrated.await();
    }

    public HashPlan plan() {
        return plan;
    }

    public HashStatistics statistics() {
        lock.lock();
        try {
            return new HashStatistics(
                    primaries,
                    queues.stream()
                            .map(queue -> queue.counters().snapshot(queue, lanes(queue)))
                            .toList());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets how many threads hash: fewer fill lanes better, more answer sooner. At any time.
     *
     * @param wanted 1 to {@value HashSettings#MAX_PRIMARIES}
     */
    public void setPrimaries(int wanted) {
        int checked = new HashSettings(HashDriver.AUTO, wanted).primaries();
        lock.lock();
        try {
            requireOpen();
            primaries = checked;
            threads.removeIf(thread -> !thread.isAlive());
            while (running < primaries) {
                running++;
                threads.add(
                        Thread.ofPlatform()
                                .daemon()
                                .name("hash-primary-" + named++)
                                .start(new Primary()));
            }
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- for callers ----

    /** A new digest of a stream. */
    public RunningDigest start(DigestAlgorithm algorithm) {
        return switch (algorithm) {
            case SHA256 -> stream(BlockHash.SHA256);
            case MD5 -> stream(BlockHash.MD5);
            case SHA1, SHA512 -> new JdkRunningDigest(algorithm);
            case XXHASH64, XXHASH3, XXHASH128 -> new XxHashRunningDigest(algorithm);
        };
    }

    private RunningDigest stream(BlockHash hash) {
        return plan.usesNative(hash)
                ? new NativeRunningDigest(hash)
                : new JdkRunningDigest(hash.algorithm());
    }

    /** SHA-256 of each message, packed one after the other in their order. Blocking. */
    public byte[] sha256(List<ByteBuffer> buffers) {
        return sha256(buffers, null);
    }

    /** HMAC-SHA-256 of the SHA-256 of each message, packed in their order. Blocking. */
    public byte[] keyedSha256(HmacKey key, List<ByteBuffer> buffers) {
        return sha256(buffers, key);
    }

    private byte[] sha256(List<ByteBuffer> buffers, @Nullable HmacKey key) {
        byte[] digests = new byte[buffers.size() * SHA256_LENGTH];
        if (buffers.isEmpty()) {
            return digests;
        }
        Ticket ticket = new Ticket(digests, key);
        boolean usesNative = plan.usesNative(BlockHash.SHA256);
        int at = 0;
        for (ByteBuffer buffer : buffers) {
            ticket.add(message(ticket, buffer.duplicate(), usesNative && buffer.isDirect(), at));
            at += SHA256_LENGTH;
        }
        ticket.longestFirst();
        submit(ticket, true);
        settle(ticket);
        return digests;
    }

    private DigestJob message(Ticket ticket, ByteBuffer bytes, boolean usesNative, int at) {
        if (!usesNative) {
            RunningDigest digest = new JdkRunningDigest(DigestAlgorithm.SHA256);
            return DigestJob.message(ticket, digest, bytes, at, alone);
        }
        if (bytes.remaining() <= DigestJob.SHORT_BYTES) {
            return DigestJob.message(ticket, null, bytes, at, messages);
        }
        return DigestJob.message(
                ticket,
                new NativeRunningDigest(BlockHash.SHA256),
                bytes,
                at,
                queueOf(BlockHash.SHA256));
    }

    /** Updates all digests with the bytes between position and limit. Blocking. */
    public void update(ByteBuffer bytes, List<RunningDigest> digests) {
        update(bytes, digests, true).settle();
    }

    /**
     * As {@link #update}, but nobody waits for it before {@link Pending#settle}; until then the
     * digests take no other bytes.
     */
    public Pending updateLater(ByteBuffer bytes, List<RunningDigest> digests) {
        return update(bytes, digests, false);
    }

    private Pending update(ByteBuffer bytes, List<RunningDigest> digests, boolean wanted) {
        Ticket ticket = new Ticket(new byte[0], null);
        if (bytes.remaining() <= INLINE_BYTES) {
            digests.forEach(digest -> digest.update(bytes.duplicate()));
            return new Pending(ticket);
        }
        for (RunningDigest digest : digests) {
            ticket.add(DigestJob.update(ticket, digest, bytes.duplicate(), queueOf(digest, bytes)));
        }
        submit(ticket, wanted);
        return new Pending(ticket);
    }

    private JobQueue queueOf(RunningDigest digest, ByteBuffer bytes) {
        return switch (digest) {
            case NativeRunningDigest stream when bytes.isDirect() -> queueOf(stream.hash());
            case NativeRunningDigest stream -> alone;
            case JdkRunningDigest stream -> alone;
            case XxHashRunningDigest stream -> alone;
        };
    }

    private JobQueue queueOf(BlockHash hash) {
        JobQueue queue = streams.get(hash);
        if (queue == null) {
            throw new IllegalStateException("no queue for " + hash);
        }
        return queue;
    }

    /** Updates that have been put off; one thread's own. */
    public final class Pending {
        private final Ticket ticket;

        private Pending(Ticket ticket) {
            this.ticket = ticket;
        }

        /** Returns when the digests have the bytes and nobody reads them any more. */
        public void settle() {
            HashEngine.this.settle(ticket);
        }
    }

    private void submit(Ticket ticket, boolean wanted) {
        lock.lock();
        try {
            boolean now = wanted || putOff() >= MAX_PUT_OFF;
            while (now && !closed && waiting() >= MAX_WAITING) {
                room.await();
            }
            requireOpen();
            long time = System.nanoTime();
            ticket.jobs().forEach(job -> job.queue().add(job, now, time));
            if (now) {
                work.signal();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            lock.unlock();
        }
    }

    private void settle(Ticket ticket) {
        if (ticket.jobs().isEmpty()) {
            return;
        }
        if (!ticket.isDone()) {
            want(ticket);
            try {
                ticket.await();
            } catch (InterruptedException e) {
                withdraw(ticket);
                ticket.awaitUninterruptibly();
                throw interrupted();
            }
        }
        ticket.rethrow();
    }

    private void want(Ticket ticket) {
        lock.lock();
        try {
            long now = System.nanoTime();
            ticket.jobs().forEach(job -> job.queue().want(job, now));
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes back what nobody has begun, and what is between two segments. */
    private void withdraw(Ticket ticket) {
        lock.lock();
        try {
            for (DigestJob job : ticket.jobs()) {
                if (job.queue().remove(job)) {
                    ticket.jobFailed(new IllegalStateException("withdrawn"));
                }
            }
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static UncheckedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new UncheckedIOException(new InterruptedIOException("interrupted"));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the hashing engine is closed");
        }
    }

    private int waiting() {
        return queues.stream().mapToInt(JobQueue::wanted).sum();
    }

    private int putOff() {
        return queues.stream().mapToInt(JobQueue::putOff).sum();
    }

    // ---- primaries ----

    /**
     * Jobs for one call of a kernel.
     *
     * @param driver of streams, index in the kernel's drivers
     * @param more whether further jobs wait for lanes
     */
    private record Call(JobQueue queue, int driver, List<DigestJob> jobs, boolean more) {}

    private final class Primary implements Runnable {
        private final PrimaryKernels kernels = new PrimaryKernels();

        @Override
        public void run() {
            Call call = next();
            while (call != null) {
                call = run(call);
            }
        }

        /** Returns the next one. */
        private @Nullable Call run(Call call) {
            long bytes = call.jobs().stream().mapToLong(job -> job.bytes().remaining()).sum();
            long start = System.nanoTime();
            Throwable failure = null;
            try {
                kernels.run(
                        call.queue(), call.driver(), call.jobs(), lanes(call.queue()), call.more());
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            long nanos = System.nanoTime() - start;
            List<DigestJob> ended = new ArrayList<>();
            List<DigestJob> unfinished = new ArrayList<>();
            for (DigestJob job : call.jobs()) {
                bytes -= job.bytes().remaining();
                (failure != null || job.isRun() ? ended : unfinished).add(job);
            }
            if (!count(call, unfinished, bytes, nanos)) {
                failClosed(unfinished);
            }
            for (DigestJob job : ended) {
                if (failure != null) {
                    job.ticket().jobFailed(failure);
                } else {
                    job.ticket().jobDone(kernels.keyed(plan.usesNative(BlockHash.SHA256)));
                }
            }
            return next();
        }
    }

    private int lanes(JobQueue queue) {
        return switch (queue.kind()) {
            case MESSAGES, STREAMS -> plan.of(queue.hash()).lanes();
            case ALONE -> 1;
        };
    }

    /** False when the jobs that are to go on can't. */
    private boolean count(Call call, List<DigestJob> unfinished, long bytes, long nanos) {
        lock.lock();
        try {
            call.queue().counters().called(call.jobs().size(), bytes, nanos);
            if (!closed) {
                call.queue().putBack(unfinished);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for work; null when this thread is not needed any more. */
    private @Nullable Call next() {
        lock.lock();
        try {
            while (true) {
                if (closed || running > primaries) {
                    running--;
                    work.signal();
                    return null;
                }
                Call call = pick();
                if (call != null) {
                    room.signalAll();
                    if (waiting() > 0) {
                        work.signal();
                    }
                    return call;
                }
                work.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Call pick() {
        JobQueue queue = nextQueue();
        if (queue == null) {
            return null;
        }
        queue.served(++calls);
        int there = queue.wanted() + queue.putOff();
        HashPlan.Step step =
                switch (queue.kind()) {
                    case STREAMS -> plan.of(queue.hash()).step(there);
                    case MESSAGES, ALONE -> new HashPlan.Step(there, 0, 0);
                };
        List<DigestJob> jobs = queue.take(step.rows(), System.nanoTime());
        return new Call(queue, step.driver(), jobs, queue.wanted() > 0);
    }

    /** The queues take turns, and every other time those with short jobs come first. */
    private @Nullable JobQueue nextQueue() {
        JobQueue next = null;
        JobQueue nextShort = null;
        for (JobQueue queue : queues) {
            if (queue.wanted() > 0 && (next == null || queue.servedAt() < next.servedAt())) {
                next = queue;
            }
            if (queue.hasShort()
                    && (nextShort == null || queue.servedAt() < nextShort.servedAt())) {
                nextShort = queue;
            }
        }
        boolean shortFirst = nextShort != null && !shortsWereFirst;
        shortsWereFirst = shortFirst && nextShort != next;
        return shortFirst ? nextShort : next;
    }

    // ---- the end ----

    /** Fails what has not begun, and returns when no buffer is read any more. */
    @Override
    public void close() {
        List<Thread> all;
        lock.lock();
        try {
            closed = true;
            all = List.copyOf(threads);
            work.signalAll();
            room.signalAll();
        } finally {
            lock.unlock();
        }
        failWaiting();
        boolean interrupted = false;
        for (Thread thread : all) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void failWaiting() {
        List<DigestJob> left = new ArrayList<>();
        lock.lock();
        try {
            queues.forEach(queue -> left.addAll(queue.clear()));
        } finally {
            lock.unlock();
        }
        failClosed(left);
    }

    private static void failClosed(List<DigestJob> jobs) {
        jobs.forEach(
                job ->
                        job.ticket()
                                .jobFailed(
                                        new IllegalStateException(
                                                "the hashing engine was closed")));
    }
}
