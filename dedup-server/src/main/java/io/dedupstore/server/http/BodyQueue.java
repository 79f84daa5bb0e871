package io.dedupstore.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Carries one request body from the event loop to the handler.
 *
 * <p>Three places hold bytes. The <em>batch</em> belongs to the event loop and gathers about 1 MiB,
 * since waking a handler per network buffer costs as much as receiving the bytes.
 * <em>Published</em> buffers are behind the lock, which both sides hold for moments only.
 * <em>Current</em> ones belong to the reader, which copies without any lock. A batch is published
 * when it is full, when the body ends and when the loop stops reading, so a reader never waits for
 * bytes that nobody will ask the socket for.
 *
 * <p>{@link #wantsMore} is the back-pressure: false from the buffer's limit until half of it is
 * consumed; {@code onResume} then runs on the reader's thread. When all connections together buffer
 * too much, the limit shrinks to a floor that every connection may always use, so none can starve
 * another for good.
 *
 * <p>Pieces much smaller than a receive buffer are copied together: else a client sending one byte
 * at a time would make each byte keep a whole receive buffer alive.
 */
final class BodyQueue {
    private static final int FLOOR_BYTES = 128 * 1024;
    private static final int TAIL_BYTES = 32 * 1024;
    private static final int COPY_BELOW_BYTES = 24 * 1024;

    private final HttpLimits limits;
    private final AtomicLong total;
    private final Runnable onResume;
    private final AtomicLong buffered = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private ArrayDeque<ByteBuf> published = new ArrayDeque<>();
    private boolean ended;
    private @Nullable IOException failure;

    private final ArrayDeque<ByteBuf> batch = new ArrayDeque<>();
    private int batchBytes;
    private @Nullable ByteBuf tail;

    private ArrayDeque<ByteBuf> current = new ArrayDeque<>();

    private volatile boolean discarding;
    private volatile boolean paused;

    /**
     * @param total body bytes buffered by all connections
     * @param onResume asks the event loop to look at {@link #wantsMore} again
     */
    BodyQueue(HttpLimits limits, AtomicLong total, Runnable onResume) {
        this.limits = limits;
        this.total = total;
        this.onResume = onResume;
    }

    // Event loop's side.

    /** Takes {@code count} bytes out of {@code in}. */
    void append(ByteBuf in, int count, ByteBufAllocator allocator, long expected) {
        if (discarding) {
            in.skipBytes(count);
            return;
        }
        if (count < COPY_BELOW_BYTES) {
            copyToTail(in, count, allocator, expected);
        } else {
            tail = null;
            batch.add(in.readRetainedSlice(count));
        }
        batchBytes += count;
        total.addAndGet(count);
        if (buffered.addAndGet(count) >= limit()) {
            paused = true;
        }
        if (paused || batchBytes >= limits.bodyBatchBytes()) {
            publish(false, null);
        }
    }

    void end() {
        publish(true, null);
    }

    /** Ends the body early; the reader gets {@code cause} instead of further bytes. */
    void fail(IOException cause) {
        publish(false, cause);
    }

    /** Whether the socket should be read. Looks at the buffer anew when it was paused. */
    boolean wantsMore() {
        if (paused && (discarding || buffered.get() <= limit() / 2)) {
            paused = false;
        }
        return !paused;
    }

    /** Drops everything and whatever is still to come. */
    void discardFromLoop() {
        discarding = true;
        releaseAll(batch);
        batchBytes = 0;
        tail = null;
        discardPublished();
    }

    private void copyToTail(ByteBuf in, int count, ByteBufAllocator allocator, long expected) {
        int left = count;
        while (left > 0) {
            if (tail == null || !tail.isWritable()) {
                tail = allocator.directBuffer(tailBytes(left, expected));
                batch.add(tail);
            }
            int piece = Math.min(left, tail.writableBytes());
            tail.writeBytes(in, piece);
            left -= piece;
        }
    }

    private static int tailBytes(int atLeast, long expected) {
        return (int) Math.min(TAIL_BYTES, Math.max(atLeast, expected < 0 ? TAIL_BYTES : expected));
    }

    private long limit() {
        return total.get() > limits.maxTotalBodyBufferBytes()
                ? FLOOR_BYTES
                : limits.maxBodyBufferBytes();
    }

    private void publish(boolean last, @Nullable IOException cause) {
        lock.lock();
        try {
            if (discarding) {
                releaseAll(batch);
            }
            published.addAll(batch);
            ended |= last;
            if (failure == null && !ended) {
                failure = cause;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        batch.clear();
        batchBytes = 0;
        tail = null;
    }

    // Reader's side.

    int read(ByteBuffer dst) throws IOException {
        int copied = 0;
        while (dst.hasRemaining()) {
            if (current.isEmpty() && !refill(copied == 0)) {
                return copied == 0 ? -1 : copied;
            }
            copied += copy(dst);
        }
        return copied;
    }

    /** Drops up to {@code maxBytes}; true if that reached the end. */
    boolean drain(long maxBytes) throws IOException {
        long left = maxBytes;
        while (true) {
            if (current.isEmpty() && !refill(true)) {
                return true;
            }
            if (left == 0) {
                return false;
            }
            ByteBuf head = current.element();
            int count = (int) Math.min(left, head.readableBytes());
            head.skipBytes(count);
            left -= count;
            consumed(head, count);
        }
    }

    /** Gives back all buffers. */
    void discardFromReader() {
        discarding = true;
        releaseAll(current);
        discardPublished();
        onResume.run();
    }

    private int copy(ByteBuffer dst) {
        ByteBuf head = current.element();
        int count = Math.min(dst.remaining(), head.readableBytes());
        int limit = dst.limit();
        dst.limit(dst.position() + count);
        head.readBytes(dst);
        dst.limit(limit);
        consumed(head, count);
        return count;
    }

    private void consumed(ByteBuf head, int count) {
        if (!head.isReadable()) {
            current.remove().release();
        }
        forget(count);
        if (paused && buffered.get() <= limit() / 2) {
            onResume.run();
        }
    }

    /** False at the end of the body, or if nothing is there and {@code wait} is false. */
    private boolean refill(boolean wait) throws IOException {
        lock.lock();
        try {
            while (published.isEmpty()) {
                if (failure != null) {
                    throw failure;
                }
                if (ended || !wait) {
                    return false;
                }
                changed.await();
            }
            ArrayDeque<ByteBuf> empty = current;
            current = published;
            published = empty;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the body");
        } finally {
            lock.unlock();
        }
    }

    private void discardPublished() {
        lock.lock();
        try {
            releaseAll(published);
        } finally {
            lock.unlock();
        }
    }

    private void releaseAll(ArrayDeque<ByteBuf> buffers) {
        for (ByteBuf buffer : buffers) {
            forget(buffer.readableBytes());
            buffer.release();
        }
        buffers.clear();
    }

    private void forget(int count) {
        buffered.addAndGet(-count);
        total.addAndGet(-count);
    }
}
