package io.dedupstore.core.kv;

import java.util.concurrent.TimeUnit;

/**
 * Counts the users of a native object, so that it is never freed under one of them. Entering is one
 * short critical section; closing refuses new users and waits for those inside.
 */
final class UseGate {
    private int users;
    private boolean closed;

    synchronized void enter(String what) {
        if (closed) {
            throw new KvException(KvException.Code.CLOSED, what + " is closed");
        }
        users++;
    }

    synchronized void leave() {
        users--;
        if (closed && users == 0) {
            notifyAll();
        }
    }

    /** Whether somebody waits for those inside, who had better hurry. */
    synchronized boolean closing() {
        return closed;
    }

    /**
     * @return false when the gate had been closed before
     * @throws KvException users remain after {@code timeoutMillis}
     */
    synchronized boolean close(String what, long timeoutMillis) {
        if (closed) {
            return false;
        }
        closed = true;
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (users > 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new KvException(
                        KvException.Code.CLOSED,
                        what
                                + " was closed while "
                                + users
                                + " reads were open; its memory stays allocated");
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }
}
