package io.dedupstore.server.http;

/** What a connection needs of its server. */
interface ConnectionHost {
    HttpServerConfig config();

    Counters counters();

    boolean stopping();

    /** Runs the handler on a thread of its own. */
    void dispatch(NettyExchange exchange);

    void requestStarted();

    /** For requests that never reached a handler. */
    void requestEnded();

    void connectionClosed(HttpConnection connection);
}
