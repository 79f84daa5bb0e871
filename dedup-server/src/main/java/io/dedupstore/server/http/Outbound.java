package io.dedupstore.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The handler's way to the socket. A handler thread blocks here while more than the high-water mark
 * is on its way to a client that reads slowly; completions, on the event loop, wake it when half of
 * that is gone.
 */
final class Outbound {
    private static final long HIGH_WATER_BYTES = 1024 * 1024;

    private final Channel channel;
    private final Counters counters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition drained = lock.newCondition();
    private long pending;
    private @Nullable Throwable failure;
    private volatile long lastProgressNanos = System.nanoTime();
    private volatile boolean waiting;

    Outbound(Channel channel, Counters counters) {
        this.channel = channel;
        this.counters = counters;
    }

    /**
     * Hands a buffer to the socket; the buffer's reference goes with it, whatever happens.
     *
     * @return completes when the buffer is in the kernel's hands
     */
    ChannelFuture send(ByteBuf buffer, boolean flush) throws ClientAbortException {
        int bytes = buffer.readableBytes();
        boolean admitted = false;
        try {
            admit(bytes);
            admitted = true;
        } finally {
            if (!admitted) {
                buffer.release();
            }
        }
        ChannelFuture sent = flush ? channel.writeAndFlush(buffer) : channel.write(buffer);
        sent.addListener(done -> completed(bytes, done.cause()));
        return sent;
    }

    /** The connection is gone; nobody shall wait any longer. */
    void fail(Throwable cause) {
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nanoseconds for which the client has taken nothing though something is on its way. */
    long stalledNanos(long now) {
        return waiting ? now - lastProgressNanos : 0;
    }

    private void admit(int bytes) throws ClientAbortException {
        lock.lock();
        try {
            while (failure == null && pending > HIGH_WATER_BYTES) {
                drained.await();
            }
            if (failure != null) {
                throw new ClientAbortException("the client is gone", failure);
            }
            if (pending == 0) {
                lastProgressNanos = System.nanoTime();
            }
            pending += bytes;
            waiting = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientAbortException("interrupted while writing the response", e);
        } finally {
            lock.unlock();
        }
    }

    private void completed(int bytes, @Nullable Throwable cause) {
        lastProgressNanos = System.nanoTime();
        lock.lock();
        try {
            pending -= bytes;
            waiting = pending > 0;
            if (cause != null && failure == null) {
                failure = cause;
            }
            if (failure != null || pending <= HIGH_WATER_BYTES / 2) {
                drained.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (cause == null) {
            counters.sentBytes.add(bytes);
        } else {
            channel.close();
        }
    }
}
