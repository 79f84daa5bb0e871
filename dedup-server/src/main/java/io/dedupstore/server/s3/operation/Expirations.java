package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.lifecycle.ExpirationHeader;
import io.dedupstore.server.s3.lifecycle.LifecycleCache;

/** Says in answers about current objects when a life-cycle rule will expire them. */
final class Expirations {
    private final LifecycleCache rules;

    Expirations(S3Services services) {
        this.rules = new LifecycleCache(services.control());
    }

    ResponseHeaders add(ResponseHeaders headers, Bucket bucket, ObjectVersion current) {
        rules.find(bucket.id())
                .flatMap(found -> ExpirationHeader.of(found, current))
                .ifPresent(text -> headers.set(ExpirationHeader.NAME, text));
        return headers;
    }
}
