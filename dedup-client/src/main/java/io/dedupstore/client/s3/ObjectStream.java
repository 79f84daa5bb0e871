package io.dedupstore.client.s3;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A range of one version of an object. Where a connection breaks or stalls, the next one goes on at
 * the same byte; whoever reads does not notice. For one thread.
 */
final class ObjectStream extends InputStream {
    /** Opens a body that begins at an offset. */
    @FunctionalInterface
    interface Opener {
        InputStream open(long from) throws IOException;
    }

    private final Opener opener;
    private final StallGuard guard;
    private final String name;
    private final long end;
    private final Backoff backoff = new Backoff();
    private long position;
    private volatile @Nullable InputStream body;
    private volatile long waitingSince;
    private volatile boolean waiting;

    ObjectStream(Opener opener, StallGuard guard, String name, long from, long end) {
        this.opener = opener;
        this.guard = guard;
        this.name = name;
        this.position = from;
        this.end = end;
        guard.add(this);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (position == end) {
            return -1;
        }
        while (true) {
            try {
                int count = readSome(bytes, offset, (int) Math.min(length, end - position));
                backoff.succeeded();
                position += count;
                return count;
            } catch (IOException e) {
                closeBody();
                if (Thread.currentThread().isInterrupted() || !backoff.pause()) {
                    throw new IOException(name + ": the connection keeps breaking: " + e, e);
                }
            }
        }
    }

    private int readSome(byte[] bytes, int offset, int length) throws IOException {
        InputStream in = body;
        if (in == null) {
            in = opener.open(position);
            body = in;
        }
        waitingSince = System.nanoTime();
        waiting = true;
        try {
            int count = in.read(bytes, offset, length);
            if (count < 0) {
                throw new EOFException("the body ended before its declared length");
            }
            return count;
        } finally {
            waiting = false;
        }
    }

    /** Called by the guard's thread; closing wakes up the reader. */
    void breakIfWaitingSince(long now, Duration longest) {
        if (waiting && now - waitingSince > longest.toNanos()) {
            closeBody();
        }
    }

    private void closeBody() {
        InputStream in = body;
        body = null;
        if (in != null) {
            try {
                in.close();
            } catch (IOException e) {
                // It is given up anyway.
            }
        }
    }

    @Override
    public void close() {
        guard.remove(this);
        closeBody();
    }
}
