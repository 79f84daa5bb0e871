package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a write or delete says about the object it replaces. The metadata shard decides; a look
 * ahead saves the transfer of a body that can't be committed.
 */
record WriteCondition(ObjectKey key, Precondition precondition) {
    private static final String IF_MODIFIED = "x-amz-if-match-last-modified-time";
    private static final String IF_SIZE = "x-amz-if-match-size";

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

    /** Of a delete, which may name time and size as well. */
    static WriteCondition ofDelete(S3Request request, ObjectKey key) {
        Optional<String> modified = request.nonEmptyHeader(IF_MODIFIED);
        Optional<String> size = request.nonEmptyHeader(IF_SIZE);
        if (modified.isEmpty() && size.isEmpty()) {
            return of(request, key);
        }
        return new WriteCondition(
                key,
                ofAll(
                        request.nonEmptyHeader("if-match"),
                        modified.map(text -> seconds(IF_MODIFIED, text)),
                        size.map(text -> size(IF_SIZE, text))));
    }

    /** Of one key in a list of deletes. */
    static Precondition ofAll(
            Optional<String> etag, Optional<Long> modifiedSeconds, Optional<Long> size) {
        if (modifiedSeconds.isEmpty() && size.isEmpty()) {
            return etag.map(WriteCondition::ofEtag).orElseGet(Precondition.None::new);
        }
        return new Precondition.Matches(etag.map(Etags::bare), modifiedSeconds, size);
    }

    static long seconds(String name, String text) {
        return S3Dates.parse(text)
                .orElseThrow(() -> S3Exception.invalidArgument("Invalid date", name, text))
                .getEpochSecond();
    }

    static long size(String name, String text) {
        try {
            long size = Long.parseLong(text.strip());
            if (size >= 0) {
                return size;
            }
        } catch (NumberFormatException e) {
            throw S3Exception.invalidArgument("Invalid size", name, text);
        }
        throw S3Exception.invalidArgument("Invalid size", name, text);
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
            case Precondition.Matches matches -> throw new IllegalStateException("of a write");
            case Precondition.MadeBy madeBy -> throw new IllegalStateException("of a write");
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
