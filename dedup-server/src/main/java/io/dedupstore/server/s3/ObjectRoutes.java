package io.dedupstore.server.s3;

import java.util.Set;

/**
 * Operations on keys.
 *
 * @param copy whether a copy source is named
 */
record ObjectRoutes(String bucket, String key, Selection selection, boolean copy) {
    private static final Set<String> READING =
            Set.of(
                    "partNumber",
                    "versionId",
                    "response-content-type",
                    "response-content-language",
                    "response-expires",
                    "response-cache-control",
                    "response-content-disposition",
                    "response-content-encoding");
    private static final Set<String> VERSION = Set.of("versionId");
    private static final Set<String> NOTHING = Set.of();

    S3Operation of(String method) {
        return switch (method) {
            case "GET" -> readObject();
            case "HEAD" ->
                    selection.plain(READING)
                            ? new S3Operation.HeadObject(bucket, key)
                            : new S3Operation.UnsupportedOnObject(
                                    bucket, key, selection.describe(method));
            case "PUT" -> putObject();
            case "POST" -> postObject();
            case "DELETE" -> deleteObject();
            default -> throw S3RequestParser.methodNotAllowed(method, "OBJECT");
        };
    }

    private S3Operation readObject() {
        if (selection.plain(READING)) {
            return new S3Operation.GetObject(bucket, key);
        }
        if (selection.is("uploadId", Set.of("max-parts", "part-number-marker", "encoding-type"))) {
            return new S3Operation.ListParts(bucket, key, selection.value("uploadId"));
        }
        if (selection.is("attributes", VERSION)) {
            return new S3Operation.GetObjectAttributes(bucket, key);
        }
        if (selection.is("acl", VERSION)) {
            return new S3Operation.GetObjectAcl(bucket, key);
        }
        if (selection.is("tagging", VERSION)) {
            return new S3Operation.GetObjectTagging(bucket, key);
        }
        if (selection.is("retention", VERSION)) {
            return new S3Operation.GetObjectRetention(bucket, key);
        }
        if (selection.is("legal-hold", VERSION)) {
            return new S3Operation.GetObjectLegalHold(bucket, key);
        }
        return new S3Operation.UnsupportedOnObject(bucket, key, selection.describe("GET"));
    }

    private S3Operation putObject() {
        if (selection.plain(NOTHING)) {
            return copy
                    ? new S3Operation.CopyObject(bucket, key)
                    : new S3Operation.PutObject(bucket, key);
        }
        if (selection.has("partNumber") != selection.has("uploadId")
                && selection.plain(Set.of("partNumber", "uploadId"))) {
            throw new S3Exception(
                    S3Error.INVALID_ARGUMENT,
                    "This operation does not accept partNumber without uploadId");
        }
        if (selection.is("uploadId", Set.of("partNumber"))) {
            String upload = selection.value("uploadId");
            String part = selection.value("partNumber");
            return copy
                    ? new S3Operation.UploadPartCopy(bucket, key, upload, part)
                    : new S3Operation.UploadPart(bucket, key, upload, part);
        }
        if (selection.is("tagging", VERSION)) {
            return new S3Operation.PutObjectTagging(bucket, key);
        }
        if (selection.is("retention", VERSION)) {
            return new S3Operation.PutObjectRetention(bucket, key);
        }
        if (selection.is("legal-hold", VERSION)) {
            return new S3Operation.PutObjectLegalHold(bucket, key);
        }
        if (selection.is("acl", VERSION)) {
            return new S3Operation.PutObjectAcl(bucket, key);
        }
        return new S3Operation.UnsupportedOnObject(bucket, key, selection.describe("PUT"));
    }

    private S3Operation postObject() {
        if (selection.is("uploads", NOTHING)) {
            return new S3Operation.CreateMultipartUpload(bucket, key);
        }
        if (selection.is("uploadId", NOTHING)) {
            return new S3Operation.CompleteMultipartUpload(
                    bucket, key, selection.value("uploadId"));
        }
        if (selection.plain(NOTHING)) {
            throw S3RequestParser.methodNotAllowed("POST", "OBJECT");
        }
        return new S3Operation.UnsupportedOnObject(bucket, key, selection.describe("POST"));
    }

    private S3Operation deleteObject() {
        if (selection.plain(VERSION)) {
            return new S3Operation.DeleteObject(bucket, key);
        }
        if (selection.is("uploadId", NOTHING)) {
            return new S3Operation.AbortMultipartUpload(bucket, key, selection.value("uploadId"));
        }
        if (selection.is("tagging", VERSION)) {
            return new S3Operation.DeleteObjectTagging(bucket, key);
        }
        return new S3Operation.UnsupportedOnObject(bucket, key, selection.describe("DELETE"));
    }
}
