package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Conditions of a read, evaluated as RFC 9110 section 13.2.2 orders them: a tag, where given,
 * decides over the date of its kind. Dates that can't be read are no condition.
 */
record ReadConditions(
        Optional<String> ifMatch,
        Optional<Instant> ifUnmodifiedSince,
        Optional<String> ifNoneMatch,
        Optional<Instant> ifModifiedSince) {

    static ReadConditions of(S3Request request) {
        return of(request, "if-");
    }

    static ReadConditions ofCopySource(S3Request request) {
        return of(request, "x-amz-copy-source-if-");
    }

    private static ReadConditions of(S3Request request, String prefix) {
        return new ReadConditions(
                request.nonEmptyHeader(prefix + "match"),
                request.nonEmptyHeader(prefix + "unmodified-since").flatMap(S3Dates::parse),
                request.nonEmptyHeader(prefix + "none-match"),
                request.nonEmptyHeader(prefix + "modified-since").flatMap(S3Dates::parse));
    }

    /** The condition that makes the request fail, if any does. */
    Optional<String> failed(ObjectVersion version) {
        if (ifMatch.isPresent()) {
            return Etags.matches(ifMatch.get(), version.etag())
                    ? Optional.empty()
                    : Optional.of("If-Match");
        }
        return ifUnmodifiedSince
                .filter(since -> modified(version).isAfter(since))
                .map(since -> "If-Unmodified-Since");
    }

    /** The condition under which the client has the version already, if it holds. */
    Optional<String> unchanged(ObjectVersion version) {
        if (ifNoneMatch.isPresent()) {
            return Etags.matches(ifNoneMatch.get(), version.etag())
                    ? Optional.of("If-None-Match")
                    : Optional.empty();
        }
        return ifModifiedSince
                .filter(since -> !modified(version).isAfter(since))
                .map(since -> "If-Modified-Since");
    }

    /** For sources of copies, where every condition that does not hold is a failure. */
    void require(ObjectVersion version) {
        failed(version)
                .or(() -> unchanged(version))
                .ifPresent(
                        condition -> {
                            throw S3Exception.preconditionFailed("x-amz-copy-source-" + condition);
                        });
    }

    /** Header dates have no milliseconds, so neither has what they are compared with. */
    private static Instant modified(ObjectVersion version) {
        return Instant.ofEpochMilli(version.modifiedMillis()).truncatedTo(ChronoUnit.SECONDS);
    }
}
