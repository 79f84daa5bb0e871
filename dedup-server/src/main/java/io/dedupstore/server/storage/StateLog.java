package io.dedupstore.server.storage;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.spi.ChunkStoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Durable writes of a drive's state, many threads' with one sync: whoever comes while a write is
 * running waits, and one of the waiting writes for all. After a failure nothing is written any
 * more.
 */
final class StateLog {
    private final KvStore kv;
    private List<KvBatch> waiting = new ArrayList<>();
    private long entered;
    private long durable;
    private boolean writing;
    private @Nullable RuntimeException failure;

    StateLog(KvStore kv) {
        this.kv = kv;
    }

    /** Returns when the batch is durable. Platform threads only. */
    void write(KvBatch batch) {
        long mine;
        synchronized (this) {
            requireHealthy();
            waiting.add(batch);
            mine = ++entered;
        }
        while (true) {
            List<KvBatch> batches;
            long last;
            synchronized (this) {
                awaitTurn(mine);
                if (durable >= mine) {
                    return;
                }
                requireHealthy();
                writing = true;
                batches = waiting;
                waiting = new ArrayList<>();
                last = entered;
            }
            writeAll(batches, last);
        }
    }

    synchronized boolean isFailed() {
        return failure != null;
    }

    private void awaitTurn(long mine) {
        boolean interrupted = false;
        while (writing && durable < mine) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll(List<KvBatch> batches, long last) {
        RuntimeException problem = null;
        try {
            KvBatch all = new KvBatch();
            batches.forEach(batch -> all.writes().addAll(batch.writes()));
            kv.write(all);
        } catch (RuntimeException e) {
            problem = e;
        }
        synchronized (this) {
            writing = false;
            if (problem == null) {
                durable = last;
            } else {
                failure = problem;
            }
            notifyAll();
        }
    }

    private void requireHealthy() {
        if (failure != null) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE,
                    "the state of this drive can't be written any more: " + failure.getMessage(),
                    failure);
        }
    }
}
