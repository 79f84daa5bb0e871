package io.dedupstore.server.s3;

import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.metadata.MetadataException;
import io.dedupstore.core.object.ObjectStoreException;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.spi.ClaimException;
import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.server.http.BodyTimeoutException;
import io.dedupstore.server.http.MalformedBodyException;

/**
 * What went wrong below, as S3 says it: the one place. A 5xx invites the client to try again, so an
 * unknown outcome is one and a definite refusal is not.
 */
public final class S3Failures {
    private S3Failures() {}

    public static S3Exception toS3(Throwable failure) {
        return switch (failure) {
            case S3Exception e -> e;
            case SigV4Exception e -> ofSignature(e);
            case MetadataException e when e.code() == MetadataException.Code.LOCKED ->
                    new S3Exception(
                            S3Error.ACCESS_DENIED,
                            "Access Denied because object protected by object lock.",
                            e);
            case MetadataException e -> because(ofMetadata(e.code()), e);
            case ObjectStoreException e -> because(ofObjectStore(e.code()), e);
            case ControlException e -> because(ofControl(e.code()), e);
            case ClaimException e -> because(S3Error.SERVICE_UNAVAILABLE, e);
            case ChunkStoreException e -> because(S3Error.SERVICE_UNAVAILABLE, e);
            case ReplicationException e -> because(S3Error.SERVICE_UNAVAILABLE, e);
            case BodyTimeoutException e -> because(S3Error.REQUEST_TIMEOUT, e);
            case MalformedBodyException e -> because(S3Error.INCOMPLETE_BODY, e);
            default -> because(S3Error.INTERNAL_ERROR, failure);
        };
    }

    private static S3Exception because(S3Error error, Throwable cause) {
        return new S3Exception(error, error.message(), cause);
    }

    private static S3Exception ofSignature(SigV4Exception e) {
        S3Error error = S3Error.ofCode(e.reason().s3Code()).orElse(S3Error.ACCESS_DENIED);
        S3Exception s3 = new S3Exception(error, e.getMessage(), e);
        e.details().forEach(s3::with);
        return s3;
    }

    private static S3Error ofMetadata(MetadataException.Code code) {
        return switch (code) {
            case PRECONDITION_FAILED -> S3Error.PRECONDITION_FAILED;
            case NO_SUCH_KEY -> S3Error.NO_SUCH_KEY;
            case NO_SUCH_VERSION -> S3Error.NO_SUCH_VERSION;
            case IS_DELETE_MARKER -> S3Error.METHOD_NOT_ALLOWED;
            case LOCKED -> S3Error.ACCESS_DENIED;
            case NO_SUCH_BUCKET -> S3Error.NO_SUCH_BUCKET;
            case NO_SUCH_UPLOAD -> S3Error.NO_SUCH_UPLOAD;
            case INVALID_PART -> S3Error.INVALID_PART;
            case BUCKET_NOT_EMPTY -> S3Error.BUCKET_NOT_EMPTY;
            case SOURCE_CHANGED -> S3Error.OPERATION_ABORTED;
            case TOO_MANY_SEGMENTS -> S3Error.ENTITY_TOO_LARGE;
            case ABORTED -> S3Error.SERVICE_UNAVAILABLE;
            case QUOTA_EXCEEDED -> S3Error.QUOTA_EXCEEDED;
            case UNKNOWN -> S3Error.INTERNAL_ERROR;
        };
    }

    private static S3Error ofObjectStore(ObjectStoreException.Code code) {
        return switch (code) {
            case SLOW_DOWN -> S3Error.SLOW_DOWN;
            case FULL -> S3Error.INSUFFICIENT_STORAGE;
            case UNAVAILABLE, STALE -> S3Error.SERVICE_UNAVAILABLE;
            case GONE, DAMAGED -> S3Error.INTERNAL_ERROR;
        };
    }

    private static S3Error ofControl(ControlException.Code code) {
        return switch (code) {
            case BUCKET_EXISTS_OWNED_BY_YOU -> S3Error.BUCKET_ALREADY_OWNED_BY_YOU;
            case BUCKET_EXISTS -> S3Error.BUCKET_ALREADY_EXISTS;
            case NO_SUCH_BUCKET -> S3Error.NO_SUCH_BUCKET;
            case TOO_MANY_BUCKETS -> S3Error.TOO_MANY_BUCKETS;
            case STALE_SESSION, UNAVAILABLE -> S3Error.SERVICE_UNAVAILABLE;
            case NO_SUCH_KEY -> S3Error.KMS_NOT_FOUND;
            case KEY_DISABLED -> S3Error.KMS_DISABLED;
            case KEY_CHANGED -> S3Error.SERVICE_UNAVAILABLE;
            case NO_SUCH_ACCOUNT,
                    ACCOUNT_EXISTS,
                    KEY_EXISTS,
                    ACCESS_KEY_EXISTS,
                    NO_SUCH_IDENTITY,
                    IDENTITY_EXISTS,
                    IDENTITY_CHANGED,
                    REFUSED,
                    UNKNOWN ->
                    S3Error.INTERNAL_ERROR;
        };
    }
}
