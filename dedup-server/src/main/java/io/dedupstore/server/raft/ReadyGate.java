package io.dedupstore.server.raft;

import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.ReplicationException.Code;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Open while this process is the leader and has applied all that earlier leaders committed. */
final class ReadyGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean open;
    private @Nullable ReplicationException broken;

    void open() {
        set(true);
    }

    void shut() {
        set(false);
    }

    /** Lets nobody pass any more. */
    void breakForGood(ReplicationException reason) {
        lock.lock();
        try {
            if (broken == null) {
                broken = reason;
            }
            open = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns once the gate is open. */
    void pass(Duration timeout) {
        if (open) {
            return;
        }
        lock.lock();
        try {
            long nanos = timeout.toNanos();
            while (!open) {
                if (broken != null) {
                    throw broken;
                }
                if (nanos <= 0) {
                    throw new ReplicationException(
                            Code.NOT_ACCEPTED, "the group has no leader ready after " + timeout);
                }
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplicationException(Code.NOT_ACCEPTED, "interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #pass}, in elapsed nanoseconds left of the deadline. */
    static Duration left(long deadlineNanos) {
        return Duration.of(
                Math.max(0, deadlineNanos - System.nanoTime()),
                TimeUnit.NANOSECONDS.toChronoUnit());
    }

    private void set(boolean value) {
        lock.lock();
        try {
            open = value && broken == null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
