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
 * a request puts its update into a queue and goes to the pool. The pool thread that comes to it
 * takes everything that waits by then, at most as many as there are lanes, and runs it with one
 * call; a thread that finds its update taken already goes home. Nothing is ever waited for to fill
 * lanes: an update alone runs alone at once, and lanes fill by themselves when updates come faster
 * than threads.
 *
 * <p>Every update in the queue has a pool task of its own behind it, and leaves the queue only into
 * the hands of a thread that completes it: none can be forgotten. The caller returns only when
 * nobody reads its buffer any more, also when it is interrupted.
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
     * Updates all digests with the bytes between position and limit, which do not change. Blocking,
     * for virtual threads; never from a thread of the pool itself.
     *
     * @param bytes direct, to be run beside others; untouched by anybody until this returns
     */
    public void update(ByteBuffer bytes, List<RunningDigest> digests) {
        if (bytes.remaining() <= INLINE_BYTES) {
            digests.forEach(digest -> digest.update(bytes.duplicate()));
            return;
        }
        List<DigestUpdate> updates = new ArrayList<>(digests.size());
        for (RunningDigest digest : digests) {
            updates.add(new DigestUpdate(digest, bytes.duplicate()));
        }
        updates.forEach(this::enqueue);
        try {
            pool.run(
                    () -> {
                        for (DigestUpdate update : updates) {
                            complete(update);
                        }
                    });
        } catch (RuntimeException e) {
            // Interrupted, or the pool is closed: take back what nobody has begun.
            updates.forEach(update -> withdraw(update, e));
        }
        updates.forEach(DigestUpdate::await);
        updates.forEach(DigestQueue::rethrow);
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
