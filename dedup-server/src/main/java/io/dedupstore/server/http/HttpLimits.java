package io.dedupstore.server.http;

/**
 * What clients may make the server hold.
 *
 * @param maxLineBytes request line, and each header line
 * @param maxHeadBytes request line and header section together
 * @param maxHeaders header fields of a request
 * @param maxConnections further ones are answered with 503 and closed
 * @param bodyBatchBytes body bytes gathered before they go from the event loop to the handler
 * @param maxBodyBufferBytes body bytes a connection buffers before it stops reading
 * @param maxTotalBodyBufferBytes body bytes of all connections; over it each one's buffer shrinks
 *     to 128 KiB
 * @param maxDrainBytes of an unread body that is read and dropped to keep a connection
 */
public record HttpLimits(
        int maxLineBytes,
        int maxHeadBytes,
        int maxHeaders,
        int maxConnections,
        int bodyBatchBytes,
        int maxBodyBufferBytes,
        long maxTotalBodyBufferBytes,
        long maxDrainBytes) {
    private static final int KIB = 1024;

    public HttpLimits {
        if (maxLineBytes < 256 || maxHeadBytes < maxLineBytes || maxHeaders < 1) {
            throw new IllegalArgumentException("header limits are too small");
        }
        if (maxConnections < 1 || maxDrainBytes < 0) {
            throw new IllegalArgumentException("connection limits must be positive");
        }
        if (bodyBatchBytes < 64 * KIB
                || maxBodyBufferBytes < bodyBatchBytes
                || maxTotalBodyBufferBytes < maxBodyBufferBytes) {
            throw new IllegalArgumentException(
                    "body limits must satisfy 64 KiB <= batch <= buffer <= total");
        }
    }

    public static HttpLimits defaults() {
        return new HttpLimits(
                8 * KIB,
                32 * KIB,
                128,
                10_000,
                KIB * KIB,
                2 * KIB * KIB,
                256L * KIB * KIB,
                256L * KIB);
    }

    public HttpLimits withMaxConnections(int connections) {
        return new HttpLimits(
                maxLineBytes,
                maxHeadBytes,
                maxHeaders,
                connections,
                bodyBatchBytes,
                maxBodyBufferBytes,
                maxTotalBodyBufferBytes,
                maxDrainBytes);
    }

    public HttpLimits withMaxTotalBodyBufferBytes(long bytes) {
        return new HttpLimits(
                maxLineBytes,
                maxHeadBytes,
                maxHeaders,
                maxConnections,
                bodyBatchBytes,
                maxBodyBufferBytes,
                bytes,
                maxDrainBytes);
    }
}
