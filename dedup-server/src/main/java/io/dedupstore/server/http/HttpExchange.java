package io.dedupstore.server.http;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * One request and its response. Used by one thread at a time: the handler's.
 *
 * <p>Strings that came over the wire (target, header values) hold one byte per char (ISO-8859-1),
 * so nothing is lost; decoding UTF-8 is the caller's business.
 */
public interface HttpExchange {
    String method();

    /**
     * Path and query exactly as the client sent them, always beginning with {@code /} (or {@code
     * *}).
     */
    String rawTarget();

    RequestHeaders headers();

    InetSocketAddress remoteAddress();

    InetSocketAddress localAddress();

    /** True when the request came over TLS. */
    boolean secure();

    RequestBody body();

    /** Whether the client waits for {@code 100 Continue} before it sends the body. */
    boolean expectsContinue();

    /**
     * Tells a waiting client to send its body now; the first read of the body does it as well. Does
     * nothing if the client did not ask or was told already.
     */
    void sendContinue() throws IOException;

    /** Whether a final response head has been handed to the connection. */
    boolean responseStarted();

    /**
     * Sends a whole response. The body is left out, its length kept, for HEAD; 204 and 304 carry
     * neither.
     *
     * @throws ClientAbortException if the client is known to be gone
     * @throws IllegalStateException if a response was started already
     */
    void respond(int status, ResponseHeaders headers, byte[] body) throws IOException;

    /**
     * Sends a response head; the body follows through the returned object, which must be closed.
     *
     * @param contentLength bytes that will follow, or -1 for a chunked body
     */
    ResponseBody startResponse(int status, ResponseHeaders headers, long contentLength)
            throws IOException;
}
