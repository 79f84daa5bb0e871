package io.dedupstore.server.http;

/**
 * What the server itself answers, before or instead of any handler. The connection closes after
 * each.
 */
public enum ProtocolError {
    MALFORMED(400),
    TARGET_TOO_LONG(414),
    HEADERS_TOO_LARGE(431),
    UNSUPPORTED_VERSION(505),
    REQUEST_TIMEOUT(408),
    TOO_MANY_CONNECTIONS(503);

    private final int status;

    ProtocolError(int status) {
        this.status = status;
    }

    /** The status that HTTP has for it. */
    public int status() {
        return status;
    }
}
