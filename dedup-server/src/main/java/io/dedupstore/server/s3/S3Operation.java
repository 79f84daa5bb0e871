package io.dedupstore.server.s3;

import java.util.Optional;

/** Every operation a request can ask for, with what selects it; the rest is read by its handler. */
public sealed interface S3Operation {

    /** Needs no existing bucket. */
    sealed interface OfService extends S3Operation {}

    /** Works on an existing bucket. */
    sealed interface OfBucket extends S3Operation {
        String bucket();
    }

    /** Works on a key in an existing bucket. */
    sealed interface OfObject extends S3Operation {
        String bucket();

        String key();
    }

    record ListBuckets() implements OfService {}

    record CreateBucket(String bucketName) implements OfService {}

    record HeadBucket(String bucket) implements OfBucket {}

    record DeleteBucket(String bucket) implements OfBucket {}

    record GetBucketLocation(String bucket) implements OfBucket {}

    record ListObjectsV1(String bucket) implements OfBucket {}

    record ListObjectsV2(String bucket) implements OfBucket {}

    record ListObjectVersions(String bucket) implements OfBucket {}

    record ListMultipartUploads(String bucket) implements OfBucket {}

    record DeleteObjects(String bucket) implements OfBucket {}

    /** A bucket setting is read, where it isn't set its unset form. */
    record GetBucketConfiguration(String bucket, BucketConfiguration configuration)
            implements OfBucket {}

    record PutBucketConfiguration(String bucket, BucketConfiguration configuration)
            implements OfBucket {}

    /** Also of what can't be set. */
    record DeleteBucketConfiguration(String bucket, BucketConfiguration configuration)
            implements OfBucket {}

    /** A sub-resource that is unknown or can't be written. */
    record UnsupportedOnBucket(String bucket, String what) implements OfBucket {}

    record PutObject(String bucket, String key) implements OfObject {}

    /**
     * A browser's form upload. The key is empty until the form has been read.
     *
     * @param redirect where the browser is to be sent when all went well
     * @param status what is to be answered otherwise
     */
    record PostObject(String bucket, String key, Optional<String> redirect, Optional<String> status)
            implements OfObject {}

    record CopyObject(String bucket, String key) implements OfObject {}

    record GetObject(String bucket, String key) implements OfObject {}

    record HeadObject(String bucket, String key) implements OfObject {}

    record DeleteObject(String bucket, String key) implements OfObject {}

    record GetObjectAttributes(String bucket, String key) implements OfObject {}

    record GetObjectAcl(String bucket, String key) implements OfObject {}

    record PutObjectAcl(String bucket, String key) implements OfObject {}

    record GetObjectTagging(String bucket, String key) implements OfObject {}

    record PutObjectTagging(String bucket, String key) implements OfObject {}

    record DeleteObjectTagging(String bucket, String key) implements OfObject {}

    record GetObjectRetention(String bucket, String key) implements OfObject {}

    record PutObjectRetention(String bucket, String key) implements OfObject {}

    record GetObjectLegalHold(String bucket, String key) implements OfObject {}

    record PutObjectLegalHold(String bucket, String key) implements OfObject {}

    record CreateMultipartUpload(String bucket, String key) implements OfObject {}

    record UploadPart(String bucket, String key, String uploadId, String partNumber)
            implements OfObject {}

    record UploadPartCopy(String bucket, String key, String uploadId, String partNumber)
            implements OfObject {}

    record ListParts(String bucket, String key, String uploadId) implements OfObject {}

    record CompleteMultipartUpload(String bucket, String key, String uploadId)
            implements OfObject {}

    record AbortMultipartUpload(String bucket, String key, String uploadId) implements OfObject {}

    /** A sub-resource that is unknown or can't be written. */
    record UnsupportedOnObject(String bucket, String key, String what) implements OfObject {}

    /** The operation's name in the API, for logs and metrics. */
    default String name() {
        return getClass().getSimpleName();
    }
}
