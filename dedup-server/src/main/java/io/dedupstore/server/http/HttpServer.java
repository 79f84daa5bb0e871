package io.dedupstore.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listening HTTP port. Event loops move bytes and never wait; every request's handler runs on a
 * virtual thread of its own and may. Memory is bounded by {@link HttpLimits}; what a client may
 * take its time for, by {@link HttpTimeouts}.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
    private static final int RECEIVE_BUFFER_BYTES = 64 * 1024;
    private static final int ACCEPT_BACKLOG = 1024;
    private static final Duration HANDLER_EXIT = Duration.ofSeconds(2);

    private final HttpServerConfig config;
    private final HttpHandler handler;
    private final Counters counters = new Counters();
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final ThreadFactory handlerThreads;
    private final EventLoopGroup loops;
    private final Channel listener;
    private final Object ended = new Object();
    private final ConnectionHost host = new Host();
    private volatile boolean stopping;

    private HttpServer(HttpServerConfig config, HttpHandler handler) throws IOException {
        this.config = config;
        this.handler = handler;
        this.handlerThreads = Thread.ofVirtual().name(config.name() + "-request-", 0).factory();
        boolean epoll = Epoll.isAvailable();
        this.loops =
                new MultiThreadIoEventLoopGroup(
                        config.eventLoops(),
                        new DefaultThreadFactory(config.name() + "-loop", true),
                        epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        this.listener = bind(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
    }

    /**
     * Listens until closed.
     *
     * @throws IOException if the address can't be listened on
     */
    public static HttpServer start(HttpServerConfig config, HttpHandler handler)
            throws IOException {
        return new HttpServer(config, handler);
    }

    public InetSocketAddress boundAddress() {
        return (InetSocketAddress) listener.localAddress();
    }

    public HttpServerStats stats() {
        return counters.snapshot();
    }

    /**
     * Accepts nothing more, closes idle connections, lets running requests finish until {@code
     * grace} is over, then cuts them.
     *
     * @return true if every request could finish
     */
    public boolean stop(Duration grace) {
        stopping = true;
        listener.close().awaitUninterruptibly();
        connections.forEach(connection -> connection.execute(connection::stopWhenIdle));
        boolean finished = await(connections::isEmpty, grace);
        connections.forEach(connection -> connection.execute(connection::closeNow));
        await(() -> counters.activeRequests.get() == 0, HANDLER_EXIT);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        return finished;
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    private Channel bind(Class<? extends ServerChannel> type) throws IOException {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(loops)
                        .channel(type)
                        .option(ChannelOption.SO_BACKLOG, ACCEPT_BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(RECEIVE_BUFFER_BYTES))
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept(channel);
                                    }
                                });
        ChannelFuture bound = bootstrap.bind(config.address()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new IOException(
                    "port \"%s\" can't listen on %s: %s"
                            .formatted(config.name(), config.address(), bound.cause().getMessage()),
                    bound.cause());
        }
        return bound.channel();
    }

    private void accept(Channel channel) {
        counters.acceptedConnections.increment();
        boolean full =
                counters.openConnections.incrementAndGet() > config.limits().maxConnections();
        HttpConnection connection = new HttpConnection(host, channel, config.tls().isPresent());
        connections.add(connection);
        config.tls().ifPresent(tls -> channel.pipeline().addLast(tlsHandler(tls, channel)));
        channel.pipeline().addLast(connection);
        if (full) {
            counters.refusedConnections.increment();
            channel.eventLoop().execute(() -> connection.refuse("too many connections"));
        } else if (stopping) {
            channel.close();
        }
    }

    private SslHandler tlsHandler(TlsSource tls, Channel channel) {
        SslHandler tlsHandler = tls.context().newHandler(channel.alloc());
        tlsHandler.setHandshakeTimeoutMillis(config.timeouts().handshake().toMillis());
        return tlsHandler;
    }

    private void run(NettyExchange exchange) {
        try {
            answer(exchange);
        } finally {
            exchange.finish();
            exchange.connection().handlerReturned();
            host.requestEnded();
        }
    }

    /** Nothing that a handler throws may end more than its own request. */
    private void answer(NettyExchange exchange) {
        Throwable failure;
        try {
            handler.handle(exchange);
            if (exchange.responseStarted()) {
                return;
            }
            failure = new IllegalStateException("the handler returned without an answer");
        } catch (ClientAbortException e) {
            return;
        } catch (Throwable e) {
            failure = e;
        }
        counters.handlerFailures.increment();
        if (exchange.responseStarted()) {
            log.warn(
                    "port {}: a handler failed after its response had begun",
                    config.name(),
                    failure);
            return;
        }
        try {
            config.failureHandler().answer(exchange, failure);
        } catch (ClientAbortException e) {
            log.debug("port {}: the client left before it was told of a failure", config.name(), e);
        } catch (Exception e) {
            e.addSuppressed(failure);
            log.error("port {}: the failure handler failed", config.name(), e);
        }
    }

    private void signal() {
        if (stopping) {
            synchronized (ended) {
                ended.notifyAll();
            }
        }
    }

    /**
     * Waits for a condition that {@link #signal} follows; an interrupt ends the wait and stays set.
     */
    private boolean await(BooleanSupplier condition, Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        synchronized (ended) {
            while (!condition.getAsBoolean()) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                try {
                    ended.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
        return true;
    }

    private final class Host implements ConnectionHost {
        @Override
        public HttpServerConfig config() {
            return config;
        }

        @Override
        public Counters counters() {
            return counters;
        }

        @Override
        public boolean stopping() {
            return stopping;
        }

        @Override
        public void dispatch(NettyExchange exchange) {
            handlerThreads.newThread(() -> run(exchange)).start();
        }

        @Override
        public void requestStarted() {
            counters.activeRequests.incrementAndGet();
        }

        @Override
        public void requestEnded() {
            counters.activeRequests.decrementAndGet();
            signal();
        }

        @Override
        public void connectionClosed(HttpConnection connection) {
            counters.openConnections.decrementAndGet();
            connections.remove(connection);
            signal();
        }
    }
}
