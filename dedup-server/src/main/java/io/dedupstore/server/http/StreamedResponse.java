package io.dedupstore.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A response body in pieces. The head waits for the first bytes, so that a small response is one
 * packet; copied bytes are gathered in buffers of 256 KiB, borrowed ones are sent in slices of that
 * size, which is also the grain at which a slow client's progress is seen.
 */
final class StreamedResponse implements ResponseBody {
    private static final int PIECE_BYTES = 256 * 1024;
    private static final int FIRST_PIECE_BYTES = 64 * 1024;
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final NettyExchange exchange;
    private final Channel channel;
    private final Outbound outbound;
    private final boolean bodiless;
    private final ResponseHead.Framing framing;
    private final long announced;
    private @Nullable ByteBuf head;
    private @Nullable ByteBuf gathered;
    private int gatherBytes = FIRST_PIECE_BYTES;
    private long written;
    private boolean closed;

    StreamedResponse(
            NettyExchange exchange,
            Channel channel,
            Outbound outbound,
            ByteBuf head,
            boolean bodiless,
            ResponseHead.Framing framing,
            long announced) {
        this.exchange = exchange;
        this.channel = channel;
        this.outbound = outbound;
        this.head = head;
        this.bodiless = bodiless;
        this.framing = framing;
        this.announced = announced;
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
        count(src.remaining());
        if (bodiless) {
            src.position(src.limit());
            return;
        }
        while (src.hasRemaining()) {
            ByteBuf buffer = gathered;
            if (buffer == null) {
                buffer = channel.alloc().directBuffer(gatherBytes, gatherBytes);
                gathered = buffer;
                gatherBytes = PIECE_BYTES;
            }
            int piece = Math.min(src.remaining(), buffer.writableBytes());
            buffer.writeBytes(src.slice(src.position(), piece));
            src.position(src.position() + piece);
            if (!buffer.isWritable()) {
                push();
            }
        }
    }

    @Override
    public void write(ByteBuffer src, Runnable release) throws IOException {
        boolean handedOver = false;
        try {
            count(src.remaining());
            if (!bodiless && src.hasRemaining()) {
                push();
                handedOver = true;
                lend(src, release);
            }
        } finally {
            if (!handedOver) {
                release.run();
            }
        }
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        push();
    }

    @Override
    public void abort() {
        if (!closed) {
            closed = true;
            exchange.streamEnded();
            releaseBuffers();
            exchange.connection().abort();
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        if (announced >= 0 && written != announced && !bodiless) {
            abort();
            throw new IllegalStateException(
                    "announced " + announced + " bytes but wrote " + written);
        }
        closed = true;
        exchange.streamEnded();
        boolean chunked = framing == ResponseHead.Framing.CHUNKED;
        ByteBuf end = chunked ? Unpooled.wrappedBuffer(LAST_CHUNK) : Unpooled.EMPTY_BUFFER;
        outbound.send(Unpooled.wrappedBuffer(takeWaiting(), end), true)
                .addListener(done -> exchange.connection().responseSent());
    }

    private void count(int bytes) {
        requireOpen();
        if (announced >= 0 && bytes > announced - written) {
            throw new IllegalStateException(
                    "more than the announced " + announced + " bytes were written");
        }
        written += bytes;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the response is closed");
        }
    }

    /** Sends the head, if it has not gone yet, and what was gathered. */
    private void push() throws ClientAbortException {
        ByteBuf waiting = takeWaiting();
        if (waiting.isReadable()) {
            outbound.send(waiting, true);
        }
    }

    private ByteBuf takeWaiting() {
        ByteBuf first = head == null ? Unpooled.EMPTY_BUFFER : head;
        ByteBuf data = gathered == null ? Unpooled.EMPTY_BUFFER : framed(gathered);
        head = null;
        gathered = null;
        return Unpooled.wrappedBuffer(first, data);
    }

    private ByteBuf framed(ByteBuf data) {
        return framing == ResponseHead.Framing.CHUNKED
                ? Unpooled.wrappedBuffer(
                        chunkHeader(data.readableBytes()), data, Unpooled.wrappedBuffer(crlf()))
                : data;
    }

    private static ByteBuf chunkHeader(int bytes) {
        return Unpooled.wrappedBuffer(
                (Integer.toHexString(bytes) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] crlf() {
        return new byte[] {'\r', '\n'};
    }

    private void lend(ByteBuffer src, Runnable release) throws ClientAbortException {
        int pieces = (src.remaining() + PIECE_BYTES - 1) / PIECE_BYTES;
        AtomicInteger unfinished = new AtomicInteger(pieces);
        int sent = 0;
        try {
            for (int at = src.position(); at < src.limit(); at += PIECE_BYTES) {
                int bytes = Math.min(PIECE_BYTES, src.limit() - at);
                ByteBuf piece = framed(Unpooled.wrappedBuffer(src.slice(at, bytes)));
                outbound.send(piece, true)
                        .addListener(done -> releaseAfterLast(unfinished, 1, release));
                sent++;
            }
        } finally {
            if (sent < pieces) {
                releaseAfterLast(unfinished, pieces - sent, release);
            }
        }
    }

    private static void releaseAfterLast(AtomicInteger unfinished, int count, Runnable release) {
        if (unfinished.addAndGet(-count) == 0) {
            release.run();
        }
    }

    private void releaseBuffers() {
        ByteBuf first = head;
        ByteBuf data = gathered;
        head = null;
        gathered = null;
        if (first != null) {
            first.release();
        }
        if (data != null) {
            data.release();
        }
    }
}
