package io.dedupstore.server.http;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client connection: reads requests one after the other and gives each to a handler thread.
 *
 * <p><b>Threads.</b> Everything here runs on the connection's event loop but the methods marked as
 * the handler's, which only read volatile flags or hand a task to the loop. Handler and loop meet
 * in {@link BodyQueue} (request) and {@link Outbound} (response).
 *
 * <p><b>Life of a request.</b> IDLE until its first byte, HEAD until its headers are whole,
 * EXCHANGE until the handler has returned, its response has been written to the socket and its body
 * has been read to the end; then IDLE again. Bytes of a next request stay in {@code input} until
 * then, and the socket is not read while there are any, so a client that pipelines without limit is
 * held by TCP. A body of at most 64 KiB is taken in whole before its handler starts: no thread
 * waits for it, and none is woken twice.
 *
 * <p><b>Ends.</b> What the handler leaves unread is dropped up to a limit to keep the connection.
 * Beyond it, and after every error, the response says {@code Connection: close} and the connection
 * LINGERs: our side is shut down and what still comes is dropped for a while, because closing with
 * unread bytes would reset the connection and destroy the response before the client has read it.
 *
 * <p><b>Time.</b> One periodic task per connection compares the clock with what the phase allows.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);
    private static final int WHOLE_BODY_BYTES = 64 * 1024;
    private static final long LINGER_BYTES = 64L * 1024 * 1024;
    private static final long MIN_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MAX_TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private enum Phase {
        IDLE,
        HEAD,
        EXCHANGE,
        LINGERING,
        CLOSED
    }

    private final ConnectionHost host;
    private final HttpServerConfig config;
    private final Counters counters;
    private final Channel channel;
    private final boolean secure;
    private final RequestParser parser;
    private final long tickNanos;

    private @Nullable ByteBuf input;
    private boolean parsing;
    private Phase phase = Phase.IDLE;
    private boolean servedOne;
    private long phaseSince = System.nanoTime();

    private @Nullable BodyQueue body;
    private @Nullable Outbound outbound;
    private @Nullable NettyExchange waitingForBody;
    private long declaredLength;
    private boolean handlerDone;
    private boolean responseSent;
    private long unreadBytes;
    private long lingered;
    private boolean broken;

    private long windowStart;
    private long windowBytes;

    private volatile boolean requestComplete;
    private volatile boolean bodyExpected;
    private volatile long missingBytes;
    private volatile boolean closeAfterResponse;

    HttpConnection(ConnectionHost host, Channel channel, boolean secure) {
        this.host = host;
        this.config = host.config();
        this.counters = host.counters();
        this.channel = channel;
        this.secure = secure;
        this.parser = new RequestParser(config.limits());
        this.tickNanos = tickNanos(config.timeouts());
    }

    private static long tickNanos(HttpTimeouts timeouts) {
        long shortest =
                Stream.of(
                                timeouts.idle(),
                                timeouts.head(),
                                timeouts.bodyStall(),
                                timeouts.writeStall(),
                                timeouts.linger())
                        .mapToLong(Duration::toNanos)
                        .min()
                        .orElseThrow();
        return Math.clamp(shortest / 4, MIN_TICK_NANOS, MAX_TICK_NANOS);
    }

    // The handler's.

    InetSocketAddress remoteAddress() {
        return (InetSocketAddress) channel.remoteAddress();
    }

    InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.localAddress();
    }

    boolean secure() {
        return secure;
    }

    Optional<String> serverHeader() {
        return config.serverHeader();
    }

    /**
     * Whether this response must be the last. So it is where a client waited for 100 and gets its
     * answer instead: whether a body follows is anybody's guess, and botocore sends nothing ever
     * again on such a connection unless it is closed. A body that is far from its end is not worth
     * reading.
     */
    boolean closesAfterResponse(boolean continuePending) {
        return closeAfterResponse
                || continuePending
                || host.stopping()
                || (!requestComplete && missingBytes > config.limits().maxDrainBytes());
    }

    void closeAfterResponse() {
        closeAfterResponse = true;
    }

    /** From now on the client is expected to send. */
    void bodyAskedFor() {
        bodyExpected = true;
    }

    void abort() {
        execute(this::reset);
    }

    void handlerReturned() {
        execute(
                () -> {
                    handlerDone = true;
                    completeExchange();
                });
    }

    // Both, but runs on the loop.

    void responseSent() {
        if (channel.eventLoop().inEventLoop()) {
            responseSent = true;
            completeExchange();
        } else {
            execute(this::responseSent);
        }
    }

    // The event loop's.

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        scheduleTick();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        counters.receivedBytes.add(bytes.readableBytes());
        if (broken || phase == Phase.LINGERING || phase == Phase.CLOSED) {
            lingered += bytes.readableBytes();
            bytes.release();
            if (lingered > LINGER_BYTES) {
                channel.close();
            }
            return;
        }
        ByteBuf held = input;
        input =
                held == null
                        ? bytes
                        : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(
                                channel.alloc(), held, bytes);
        parse();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        boolean midRequest = phase == Phase.EXCHANGE && !(handlerDone && responseSent);
        if (midRequest) {
            counters.clientAborts.increment();
        }
        enter(Phase.CLOSED);
        releaseInput();
        ClientAbortException gone = new ClientAbortException("the client closed the connection");
        BodyQueue queue = body;
        if (queue != null) {
            queue.fail(gone);
            if (waitingForBody != null) {
                waitingForBody = null;
                queue.discardFromLoop();
                host.requestEnded();
            }
        }
        if (outbound != null) {
            outbound.fail(gone);
        }
        if (handlerDone && queue != null) {
            queue.discardFromLoop();
        }
        host.connectionClosed(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        channel.close();
    }

    /** Runs a task on this connection's event loop; drops it once the server has stopped. */
    void execute(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("a connection outlived its event loop", e);
        }
    }

    /** Stops after the request at hand. */
    void stopWhenIdle() {
        if (phase == Phase.IDLE || phase == Phase.HEAD) {
            channel.close();
        } else {
            closeAfterResponse = true;
        }
    }

    void closeNow() {
        channel.close();
    }

    private void parse() {
        if (parsing) {
            return;
        }
        parsing = true;
        try {
            while (mayParse()) {
                ByteBuf in = input;
                if (in == null || !step(in)) {
                    break;
                }
            }
        } catch (RequestParser.Malformed e) {
            malformed(e);
        } finally {
            parsing = false;
        }
        ByteBuf in = input;
        if (in != null && !in.isReadable()) {
            releaseInput();
        }
        updateReading();
    }

    private boolean mayParse() {
        return switch (phase) {
            case IDLE, HEAD -> true;
            case EXCHANGE -> !requestComplete && !broken;
            case LINGERING, CLOSED -> false;
        };
    }

    /** False when more bytes are needed. */
    private boolean step(ByteBuf in) throws RequestParser.Malformed {
        if (phase == Phase.IDLE && in.isReadable()) {
            enter(Phase.HEAD);
        }
        return switch (parser.next(in)) {
            case RequestParser.Event.NeedMore none -> false;
            case RequestParser.Event.Head head -> {
                startExchange(head.head());
                yield true;
            }
            case RequestParser.Event.Body piece -> {
                bodyArrived(in, piece.bytes());
                yield true;
            }
            case RequestParser.Event.End end -> {
                requestEnded();
                yield true;
            }
        };
    }

    private void startExchange(ParsedHead head) {
        counters.requests.increment();
        enter(Phase.EXCHANGE);
        servedOne = true;
        declaredLength = head.contentLength();
        handlerDone = false;
        responseSent = false;
        unreadBytes = 0;
        requestComplete = false;
        missingBytes = declaredLength < 0 ? Long.MAX_VALUE : declaredLength;
        bodyExpected = !head.expectsContinue();
        restartWindow();
        if (!head.keepAlive()) {
            closeAfterResponse = true;
        }
        BodyQueue queue =
                new BodyQueue(
                        config.limits(),
                        counters.bufferedBodyBytes,
                        () -> execute(this::updateReading));
        Outbound out = new Outbound(channel, counters);
        body = queue;
        outbound = out;
        NettyExchange exchange = new NettyExchange(this, channel, head, queue, out);
        host.requestStarted();
        boolean whole = declaredLength >= 0 && declaredLength <= WHOLE_BODY_BYTES && bodyExpected;
        if (whole) {
            waitingForBody = exchange;
        } else {
            host.dispatch(exchange);
        }
    }

    private void bodyArrived(ByteBuf in, int bytes) {
        BodyQueue queue = requireNonNull(body);
        windowBytes += bytes;
        if (declaredLength >= 0) {
            missingBytes -= bytes;
        }
        if (handlerDone) {
            unreadBytes += bytes;
        }
        queue.append(in, bytes, channel.alloc(), declaredLength);
        if (unreadBytes > config.limits().maxDrainBytes()) {
            in.skipBytes(in.readableBytes());
            linger();
        }
    }

    private void requestEnded() {
        requestComplete = true;
        requireNonNull(body).end();
        NettyExchange whole = waitingForBody;
        if (whole != null) {
            waitingForBody = null;
            host.dispatch(whole);
        }
        completeExchange();
    }

    /** Goes on when handler, response and body are all done. */
    private void completeExchange() {
        if (phase == Phase.CLOSED && handlerDone) {
            requireNonNull(body).discardFromLoop();
        }
        if (phase != Phase.EXCHANGE || !handlerDone || !responseSent) {
            return;
        }
        requireNonNull(body).discardFromLoop();
        boolean last = closeAfterResponse || host.stopping();
        if (requestComplete && !last) {
            enter(Phase.IDLE);
            parse();
        } else if (requestComplete && input == null) {
            enter(Phase.LINGERING);
            channel.close();
        } else if (last) {
            linger();
        } else {
            restartWindow();
            bodyExpected = true;
            updateReading();
        }
    }

    /** Our side is done; drops what the client still sends, for a while. */
    private void linger() {
        enter(Phase.LINGERING);
        releaseInput();
        channel.config().setAutoRead(true);
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    private void malformed(RequestParser.Malformed e) {
        counters.protocolErrors.increment();
        releaseInput();
        closeAfterResponse = true;
        if (phase == Phase.EXCHANGE && waitingForBody == null) {
            BodyQueue queue = requireNonNull(body);
            queue.fail(new MalformedBodyException(e.getMessage()));
            breakOff();
            completeExchange();
        } else {
            answerItself(e.error(), e.getMessage());
        }
    }

    /** Answers without a handler, then closes. */
    private void answerItself(ProtocolError error, String detail) {
        if (waitingForBody != null) {
            waitingForBody = null;
            requireNonNull(body).discardFromLoop();
            host.requestEnded();
        }
        ProtocolErrorRenderer.Rendered rendered = config.errorRenderer().render(error, detail);
        ByteBuf head =
                new ResponseHead(
                                rendered.status(),
                                rendered.headers(),
                                ResponseHead.Framing.LENGTH,
                                rendered.body().length,
                                true,
                                1)
                        .encode(channel.alloc(), config.serverHeader());
        enter(Phase.LINGERING);
        channel.writeAndFlush(Unpooled.wrappedBuffer(head, Unpooled.wrappedBuffer(rendered.body())))
                .addListener(
                        (ChannelFutureListener)
                                done -> {
                                    if (done.isSuccess()) {
                                        linger();
                                    } else {
                                        channel.close();
                                    }
                                });
    }

    /** Refuses a connection before any request of it. */
    void refuse(String detail) {
        answerItself(ProtocolError.TOO_MANY_CONNECTIONS, detail);
    }

    /** Closes so that the client can't mistake what it has for a whole response. */
    private void reset() {
        if (phase != Phase.CLOSED && phase != Phase.LINGERING) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        }
    }

    private void updateReading() {
        boolean read =
                switch (phase) {
                    case IDLE, HEAD, LINGERING -> true;
                    case CLOSED -> false;
                    case EXCHANGE ->
                            !broken
                                    && (requestComplete
                                            ? input == null
                                            : requireNonNull(body).wantsMore());
                };
        if (channel.config().isAutoRead() != read) {
            restartWindow();
            channel.config().setAutoRead(read);
        }
    }

    /** What still comes of this body is of no use; the response is the last one. */
    private void breakOff() {
        broken = true;
        missingBytes = Long.MAX_VALUE;
        channel.config().setAutoRead(false);
    }

    private void releaseInput() {
        ByteBuf held = input;
        input = null;
        if (held != null) {
            held.release();
        }
    }

    private void enter(Phase next) {
        phase = next;
        phaseSince = System.nanoTime();
    }

    private void restartWindow() {
        windowStart = System.nanoTime();
        windowBytes = 0;
    }

    private void scheduleTick() {
        channel.eventLoop().schedule(this::tick, tickNanos, TimeUnit.NANOSECONDS);
    }

    private void tick() {
        if (phase == Phase.CLOSED) {
            return;
        }
        long now = System.nanoTime();
        long inPhase = now - phaseSince;
        HttpTimeouts timeouts = config.timeouts();
        switch (phase) {
            case IDLE -> {
                if (inPhase > (servedOne ? timeouts.idle() : timeouts.head()).toNanos()) {
                    channel.close();
                }
            }
            case HEAD -> {
                if (inPhase > timeouts.head().toNanos()) {
                    counters.timeouts.increment();
                    answerItself(
                            ProtocolError.REQUEST_TIMEOUT, "the request headers took too long");
                }
            }
            case EXCHANGE -> checkProgress(now, timeouts);
            case LINGERING -> {
                if (inPhase > timeouts.linger().toNanos()) {
                    channel.close();
                }
            }
            case CLOSED -> {}
        }
        scheduleTick();
    }

    private void checkProgress(long now, HttpTimeouts timeouts) {
        Outbound out = requireNonNull(outbound);
        if (out.stalledNanos(now) > timeouts.writeStall().toNanos()) {
            counters.timeouts.increment();
            out.fail(new ClientAbortException("the client does not take its response"));
            reset();
            return;
        }
        boolean awaited =
                !requestComplete && !broken && bodyExpected && channel.config().isAutoRead();
        if (!awaited) {
            restartWindow();
        } else if (now - windowStart > timeouts.bodyStall().toNanos()) {
            if (windowBytes < timeouts.minBodyBytes()) {
                bodyStalled();
            } else {
                restartWindow();
            }
        }
    }

    private void bodyStalled() {
        counters.timeouts.increment();
        closeAfterResponse = true;
        if (handlerDone) {
            linger();
        } else if (waitingForBody != null) {
            answerItself(ProtocolError.REQUEST_TIMEOUT, "the request body took too long");
        } else {
            requireNonNull(body)
                    .fail(new BodyTimeoutException("the client sends its body too slowly"));
            breakOff();
        }
    }
}
