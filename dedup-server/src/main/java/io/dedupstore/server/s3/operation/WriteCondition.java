package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a write or delete says about the object it replaces. The metadata shard decides; a look
 * ahead saves the transfer of a body that can't be committed.
 */
record WriteCondition(ObjectKey key, Precondition precondition) {

    static WriteCondition of(S3Request request, ObjectKey key) {
        Optional<String> ifMatch = request.nonEmptyHeader("if-match");
        Optional<String> ifNoneMatch = request.nonEmptyHeader("if-none-match");
        if (ifNoneMatch.isPresent()) {
            if (ifMatch.isPresent()) {
                throw S3Exception.notImplementedHeader("If-Match");
            }
            if (!Etags.bare(ifNoneMatch.get()).equals("*")) {
                throw S3Exception.notImplementedHeader("If-None-Match");
            }
            return new WriteCondition(key, new Precondition.Absent());
        }
        return new WriteCondition(
                key, ifMatch.map(WriteCondition::ofEtag).orElseGet(Precondition.None::new));
    }

    static Precondition ofEtag(String text) {
        String etag = Etags.bare(text);
        return etag.equals("*") ? new Precondition.Present() : new Precondition.EtagIs(etag);
    }

    /** Whether the current version has to be looked at. */
    boolean isGiven() {
        return !(precondition instanceof Precondition.None);
    }

    /**
     * @throws S3Exception PreconditionFailed, NoSuchKey
     */
    void check(Optional<ObjectVersion> current) {
        switch (precondition) {
            case Precondition.None none -> {}
            case Precondition.Absent absent -> {
                if (current.isPresent()) {
                    throw failed();
                }
            }
            case Precondition.Present present -> {
                if (current.isEmpty()) {
                    throw Keys.notFound(key);
                }
            }
            case Precondition.EtagIs(String etag) -> {
                if (!current.orElseThrow(() -> Keys.notFound(key)).etag().equals(etag)) {
                    throw failed();
                }
            }
        }
    }

    /** Runs the commit that decides. */
    <T> T decide(Supplier<T> commit) {
        try {
            return commit.get();
        } catch (MetadataException e) {
            if (e.code() == MetadataException.Code.PRECONDITION_FAILED) {
                throw failed();
            }
            if (e.code() == MetadataException.Code.NO_SUCH_KEY) {
                throw Keys.notFound(key);
            }
            throw e;
        }
    }

    private S3Exception failed() {
        return S3Exception.preconditionFailed(
                precondition instanceof Precondition.Absent ? "If-None-Match" : "If-Match");
    }
}
