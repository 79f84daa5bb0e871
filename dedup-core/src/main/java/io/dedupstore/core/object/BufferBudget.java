package io.dedupstore.core.object;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory that all requests together may hold: direct buffers of two sizes out of one budget.
 * Who finds it used up waits a while, then is told to slow down.
 *
 * <p>Returned buffers are kept for the next request, so the budget is also the most that is ever
 * allocated. Any number of threads.
 */
public final class BufferBudget {
    /** Most of a request's window. */
    public static final int LARGE_BYTES = 2 << 20;

    static final int SMALL_BYTES = 256 << 10;

    private static final int UNITS_PER_LARGE = LARGE_BYTES / SMALL_BYTES;

    private final Semaphore units;
    private final int totalUnits;
    private final Duration patience;
    private final ConcurrentLinkedQueue<ByteBuffer> idleLarge = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ByteBuffer> idleSmall = new ConcurrentLinkedQueue<>();
    private final Semaphore allocatableUnits;

    /**
     * @param totalBytes of all buffers; at least 16 MiB
     * @param patience how long a request waits for memory
     */
    public BufferBudget(long totalBytes, Duration patience) {
        if (totalBytes < 8L * LARGE_BYTES) {
            throw new IllegalArgumentException("at least 16 MiB of request memory are needed");
        }
        this.totalUnits = Math.toIntExact(totalBytes / SMALL_BYTES);
        this.units = new Semaphore(totalUnits, true);
        this.allocatableUnits = new Semaphore(totalUnits);
        this.patience = patience;
    }

    /** Buffers taken together, so that a request never holds some while it waits for more. */
    public final class Lease implements AutoCloseable {
        private final ByteBuffer[] buffers;
        private final int unitsHeld;
        private boolean closed;

        private Lease(ByteBuffer[] buffers, int unitsHeld) {
            this.buffers = buffers;
            this.unitsHeld = unitsHeld;
        }

        /** A direct buffer, cleared; the holder's until the lease is closed. */
        ByteBuffer buffer(int index) {
            return buffers[index];
        }

        /** Gives the buffers back; once is enough. One thread. */
        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            for (ByteBuffer buffer : buffers) {
                (buffer.capacity() == LARGE_BYTES ? idleLarge : idleSmall).add(buffer.clear());
            }
            units.release(unitsHeld);
        }
    }

    /**
     * @param count buffers wanted
     * @param bytes that each should hold if possible: more than 256 KiB get 2 MiB
     * @throws ObjectStoreException SLOW_DOWN
     */
    public Lease take(int count, long bytes) {
        boolean large = bytes > SMALL_BYTES;
        int wanted = count * (large ? UNITS_PER_LARGE : 1);
        try {
            if (!units.tryAcquire(wanted, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw slowDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw slowDown();
        }
        ByteBuffer[] buffers = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = large ? large() : small();
        }
        return new Lease(buffers, wanted);
    }

    /** Bytes in use now. */
    public long bytesInUse() {
        return (long) (totalUnits - units.availablePermits()) * SMALL_BYTES;
    }

    private ByteBuffer large() {
        ByteBuffer idle = idleLarge.poll();
        if (idle != null) {
            return idle;
        }
        reserve(UNITS_PER_LARGE);
        return ByteBuffer.allocateDirect(LARGE_BYTES);
    }

    private ByteBuffer small() {
        ByteBuffer idle = idleSmall.poll();
        if (idle != null) {
            return idle;
        }
        reserve(1);
        return ByteBuffer.allocateDirect(SMALL_BYTES);
    }

    /**
     * Makes room by forgetting idle buffers of the other size; the garbage collector frees them.
     */
    private void reserve(int wanted) {
        while (!allocatableUnits.tryAcquire(wanted)) {
            if (idleSmall.poll() != null) {
                allocatableUnits.release(1);
            } else if (idleLarge.poll() != null) {
                allocatableUnits.release(UNITS_PER_LARGE);
            } else {
                return;
            }
        }
    }

    private static ObjectStoreException slowDown() {
        return new ObjectStoreException(
                ObjectStoreException.Code.SLOW_DOWN, "all memory for requests is in use");
    }
}
