package io.dedupstore.server.s3.operation;

import io.dedupstore.server.auth.BodySource;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads request documents: whole, verified like every other body. Those that are not small wait for
 * one of a few places, so that all together stay within a bound. One for all requests; any number
 * of threads.
 */
final class Documents {
    /** A thousand keys of 1024 bytes, each byte an escape of six. */
    static final int MAX_BYTES = 8 << 20;

    private static final int READ_BYTES = 16 << 10;
    private static final int SMALL_BYTES = 64 << 10;
    private static final int LARGE_AT_ONCE = 8;
    private static final int PATIENCE_SECONDS = 5;

    private final Semaphore places = new Semaphore(LARGE_AT_ONCE, true);
    private final Digester digester;

    Documents(S3Services services) {
        this.digester = new Digester(services);
    }

    /**
     * @param integrityRequired whether the client must have sent a digest of the document
     */
    byte[] read(S3Request request, boolean integrityRequired) throws IOException {
        BodyIntegrity integrity = BodyIntegrity.of(request);
        if (integrityRequired && !integrity.isGiven()) {
            throw S3Exception.invalidRequest(
                    "Missing required header for this request: Content-MD5 OR x-amz-checksum-*");
        }
        BodySource body = request.openBody();
        byte[] document = readAll(body);
        if (integrity.isGiven()) {
            integrity.verify(digester.ofDocument(document, integrity.digests()), body.trailers());
        }
        return document;
    }

    /** Where the checksums in the head are not the document's. */
    byte[] readUnverified(S3Request request) throws IOException {
        return readAll(request.openBody());
    }

    private byte[] readAll(BodySource body) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);
        boolean isLarge = false;
        try {
            while (body.read(buffer) >= 0) {
                all.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (!isLarge && all.size() > SMALL_BYTES) {
                    takePlace();
                    isLarge = true;
                }
                if (all.size() > MAX_BYTES) {
                    throw new S3Exception(S3Error.MAX_MESSAGE_LENGTH_EXCEEDED)
                            .with("MaxMessageLengthBytes", Integer.toString(MAX_BYTES));
                }
            }
            return all.toByteArray();
        } finally {
            if (isLarge) {
                places.release();
            }
        }
    }

    private void takePlace() {
        try {
            if (!places.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new S3Exception(S3Error.SLOW_DOWN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new S3Exception(S3Error.SERVICE_UNAVAILABLE, "The server is stopping.", e);
        }
    }
}
