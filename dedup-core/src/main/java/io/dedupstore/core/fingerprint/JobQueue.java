package io.dedupstore.core.fingerprint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that one kind of call can run together, by length class. Guarded by the engine's lock.
 *
 * <p>Jobs that have been put off begin no call, but fill the lanes of one that others want.
 */
final class JobQueue {
    /** What runs its jobs. */
    enum Kind {
        /** Short messages, whole, by SHA-256. */
        MESSAGES,
        /** Streams beside each other. */
        STREAMS,
        /** One stream after the other. */
        ALONE
    }

    private final Kind kind;
    private final @Nullable BlockHash hash;
    private final String name;
    private final int maxRows;
    private final Deque<DigestJob> shorts = new ArrayDeque<>();
    private final Deque<DigestJob> longs = new ArrayDeque<>();
    private final Set<DigestJob> putOff = new LinkedHashSet<>();
    private final QueueCounters counters = new QueueCounters();
    private long servedAt;

    private JobQueue(Kind kind, @Nullable BlockHash hash, String name, int maxRows) {
        this.kind = kind;
        this.hash = hash;
        this.name = name;
        this.maxRows = maxRows;
    }

    static JobQueue messages(int maxRows) {
        return new JobQueue(Kind.MESSAGES, BlockHash.SHA256, "SHA-256 messages", maxRows);
    }

    static JobQueue streams(BlockHash hash, int maxRows) {
        return new JobQueue(Kind.STREAMS, hash, hash.algorithm().jdkName(), maxRows);
    }

    static JobQueue alone() {
        return new JobQueue(Kind.ALONE, null, "alone", 1);
    }

    Kind kind() {
        return kind;
    }

    /** Of streams. */
    BlockHash hash() {
        if (hash == null) {
            throw new IllegalStateException(name + " is of many hashes");
        }
        return hash;
    }

    String name() {
        return name;
    }

    QueueCounters counters() {
        return counters;
    }

    int wanted() {
        return shorts.size() + longs.size();
    }

    int putOff() {
        return putOff.size();
    }

    boolean hasShort() {
        return !shorts.isEmpty();
    }

    /** When it was served, as a number that grows. */
    long servedAt() {
        return servedAt;
    }

    void served(long number) {
        servedAt = number;
    }

    void add(DigestJob job, boolean wanted, long now) {
        if (wanted) {
            enqueue(job, now);
        } else {
            putOff.add(job);
        }
    }

    /** Somebody waits for a job that was put off. */
    void want(DigestJob job, long now) {
        if (putOff.remove(job)) {
            enqueue(job, now);
        }
    }

    private void enqueue(DigestJob job, long now) {
        job.state = DigestJob.State.WANTED;
        job.wantedAt = now;
        (job.isShort() ? shorts : longs).addLast(job);
    }

    /** False when it is not here any more. */
    boolean remove(DigestJob job) {
        boolean removed =
                switch (job.state) {
                    case PUT_OFF -> putOff.remove(job);
                    case WANTED -> (job.isShort() ? shorts : longs).remove(job);
                    case TAKEN -> false;
                };
        job.state = DigestJob.State.TAKEN;
        return removed;
    }

    /**
     * Jobs for one call, short ones first; these leave half of it to long ones that wait.
     *
     * @param rows at most; not more than the kind allows
     */
    List<DigestJob> take(int rows, long now) {
        int most = Math.min(rows, maxRows);
        List<DigestJob> taken = new ArrayList<>(most);
        int forShort = longs.isEmpty() ? most : Math.max(1, most / 2);
        move(shorts, taken, forShort);
        move(longs, taken, most);
        move(shorts, taken, most);
        while (taken.size() < most && !putOff.isEmpty()) {
            DigestJob job = putOff.iterator().next();
            putOff.remove(job);
            job.wantedAt = now;
            taken.add(job);
        }
        for (DigestJob job : taken) {
            job.state = DigestJob.State.TAKEN;
            if (!job.begun) {
                job.begun = true;
                counters.began(now - job.wantedAt);
            }
        }
        return taken;
    }

    private static void move(Deque<DigestJob> from, List<DigestJob> to, int most) {
        while (to.size() < most && !from.isEmpty()) {
            to.add(from.removeFirst());
        }
    }

    /** Jobs with segments left, at the front in their order: they keep their lanes. */
    void putBack(List<DigestJob> jobs) {
        for (DigestJob job : jobs.reversed()) {
            job.state = DigestJob.State.WANTED;
            (job.isShort() ? shorts : longs).addFirst(job);
        }
    }

    /** Takes everything. */
    List<DigestJob> clear() {
        List<DigestJob> all = new ArrayList<>(shorts);
        all.addAll(longs);
        all.addAll(putOff);
        all.forEach(job -> job.state = DigestJob.State.TAKEN);
        shorts.clear();
        longs.clear();
        putOff.clear();
        return all;
    }
}
