package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.object.ObjectReader;
import io.dedupstore.core.object.ObjectStoreException;
import io.dedupstore.server.http.ResponseBody;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** GET of an object, a range or a part of it. */
final class GetObject {
    /** How often a read starts anew because the version was replaced under it. */
    static final int MAX_ATTEMPTS = 5;

    private final VersionFinder versions;
    private final Encryptions encryptions;
    private final Expirations expirations;

    GetObject(S3Services services) {
        this.versions = new VersionFinder(services);
        this.encryptions = new Encryptions(services);
        this.expirations = new Expirations(services);
    }

    void handle(S3Request request, Bucket bucket, S3Operation.GetObject operation)
            throws IOException {
        ObjectKey key = Keys.of(operation.key());
        int attempt = 1;
        while (!answered(request, bucket, key, attempt)) {
            attempt++;
        }
    }

    private boolean answered(S3Request request, Bucket bucket, ObjectKey key, int attempt)
            throws IOException {
        Stored stored = versions.open(request, bucket, key);
        request.requireAllowed(stored.version());
        ObjectReader reader = encryptions.readerOf(request, stored.version());
        if (HeadObject.answeredByCondition(request, stored.version())) {
            return true;
        }
        Reading reading = Reading.of(request, stored);
        if (!request.query().has("versionId")) {
            expirations.add(reading.headers(), bucket, stored.version());
        }
        try (Response response = new Response(request, reading)) {
            try {
                reader.read(
                        bucket.id(),
                        key,
                        stored.body(),
                        reading.offset(),
                        reading.length(),
                        response::write);
                response.finish();
                return true;
            } catch (ObjectStoreException e) {
                boolean anew =
                        e.code() == ObjectStoreException.Code.GONE
                                && !response.started()
                                && attempt < MAX_ATTEMPTS;
                if (anew) {
                    return false;
                }
                throw e;
            }
        }
    }

    /** Starts with the first byte, so that whatever fails before can still be told. */
    private static final class Response implements AutoCloseable {
        private final S3Request request;
        private final Reading reading;
        private @Nullable ResponseBody body;
        private boolean complete;

        Response(S3Request request, Reading reading) {
            this.request = request;
            this.reading = reading;
        }

        boolean started() {
            return body != null;
        }

        ResponseBody start() throws IOException {
            if (body == null) {
                body = request.startResponse(reading.status(), reading.headers(), reading.length());
            }
            return body;
        }

        void write(ByteBuffer bytes) throws IOException {
            start().write(bytes);
        }

        void finish() throws IOException {
            start();
            complete = true;
        }

        /** A broken-off answer must not look like a whole one. */
        @Override
        public void close() throws IOException {
            if (body != null) {
                if (!complete) {
                    body.abort();
                }
                body.close();
            }
        }
    }
}
