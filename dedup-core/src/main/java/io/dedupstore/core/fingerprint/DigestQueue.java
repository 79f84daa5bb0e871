package io.dedupstore.core.fingerprint;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Updates running digests of many requests together.
 *
 * <p>A single MD5 or SHA-256 is serial; eight or sixteen side by side cost hardly more than one. So
 * a request puts its update into a queue and goes on with what else it has to do with the bytes.
 * The first one that can't go on without its digest goes to the pool, and the pool thread takes
 * along everything that waits by then, at most as many as there are lanes, and runs it with one
 * call. Nothing is ever waited for to fill lanes: a request alone runs alone, and lanes fill by
 * themselves when several are under way.
 *
 * <p>An update leaves the queue only into the hands of a thread that completes it or withdraws it,
 * and whoever put it there settles it: none can be forgotten. Settling returns only when nobody
 * reads the buffer any more, also when it is interrupted.
 */
public final class DigestQueue {
    /** Below this, going to the pool and back costs more than the digest. */
    private static final int INLINE_BYTES = 4096;

    private final WorkerPool pool;
    private final Map<BlockHash, Queue<DigestUpdate>> waiting = new EnumMap<>(BlockHash.class);
    private final Queue<NativeDigest.Table> tables = new ConcurrentLinkedQueue<>();

    /**
     * @param pool platform threads that hash
     */
    public DigestQueue(WorkerPool pool) {
        this.pool = pool;
        for (BlockHash hash : BlockHash.values()) {
            waiting.put(hash, new ConcurrentLinkedQueue<>());
        }
    }

    /**
     * Updates all digests with the bytes between position and limit. Blocking, for virtual threads;
     * never from a thread of the pool itself.
     *
     * @param bytes direct, to be run beside others; untouched by anybody until this returns
     */
    public void update(ByteBuffer bytes, List<RunningDigest> digests) {
        updateLater(bytes, digests).settle();
    }

    /**
     * As {@link #update}, but nothing is done before somebody needs it: this caller when it
     * settles, or another one, who takes along what waits. The digests take no other bytes before.
     *
     * @param bytes untouched by anybody until {@link Pending#settle} returns
     */
    public Pending updateLater(ByteBuffer bytes, List<RunningDigest> digests) {
        if (bytes.remaining() <= INLINE_BYTES) {
            digests.forEach(digest -> digest.update(bytes.duplicate()));
            return new Pending(List.of());
        }
        List<DigestUpdate> updates = new ArrayList<>(digests.size());
        for (RunningDigest digest : digests) {
            updates.add(new DigestUpdate(digest, bytes.duplicate()));
        }
        updates.forEach(this::enqueue);
        return new Pending(updates);
    }

    /** Updates that have been put off; one thread's own. */
    public final class Pending {
        private final List<DigestUpdate> updates;

        private Pending(List<DigestUpdate> updates) {
            this.updates = updates;
        }

        /** Returns when the digests have the bytes and nobody reads them any more. */
        public void settle() {
            if (!updates.stream().allMatch(DigestUpdate::isTaken)) {
                try {
                    pool.run(() -> updates.forEach(DigestQueue.this::complete));
                } catch (RuntimeException e) {
                    // Interrupted, or the pool is closed: take back what nobody has begun.
                    updates.forEach(update -> withdraw(update, e));
                }
            }
            updates.forEach(DigestUpdate::await);
            updates.forEach(DigestQueue::rethrow);
        }
    }

    private static void rethrow(DigestUpdate update) {
        switch (update.failure()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private void enqueue(DigestUpdate update) {
        BlockHash hash = update.sharedHash();
        if (hash != null) {
            queueOf(hash).add(update);
        }
    }

    private void withdraw(DigestUpdate update, RuntimeException cause) {
        if (update.take()) {
            update.fail(cause);
        }
    }

    /** On a pool thread: sees to it that some thread has the update in hand. */
    private void complete(DigestUpdate update) {
        BlockHash hash = update.sharedHash();
        if (hash == null) {
            if (update.take()) {
                update.runAlone();
            }
            return;
        }
        while (!update.isTaken()) {
            List<DigestUpdate> batch = takeBatch(queueOf(hash));
            if (!batch.isEmpty()) {
                run(hash, batch);
            }
        }
    }

    private static List<DigestUpdate> takeBatch(Queue<DigestUpdate> queue) {
        List<DigestUpdate> batch = new ArrayList<>();
        while (batch.size() < NativeDigest.Table.ROWS) {
            DigestUpdate next = queue.poll();
            if (next == null) {
                break;
            }
            if (next.take()) {
                batch.add(next);
            }
        }
        return batch;
    }

    private void run(BlockHash hash, List<DigestUpdate> batch) {
        if (batch.size() == 1) {
            batch.getFirst().runAlone();
            return;
        }
        NativeDigest.Table free = tables.poll();
        NativeDigest.Table table = free != null ? free : new NativeDigest.Table();
        DigestUpdate.runTogether(hash, batch, table);
        tables.add(table);
    }

    private Queue<DigestUpdate> queueOf(BlockHash hash) {
        Queue<DigestUpdate> queue = waiting.get(hash);
        if (queue == null) {
            throw new IllegalStateException("no queue for " + hash);
        }
        return queue;
    }
}
