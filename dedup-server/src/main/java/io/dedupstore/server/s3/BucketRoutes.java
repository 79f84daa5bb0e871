package io.dedupstore.server.s3;

import java.util.Optional;
import java.util.Set;

/** Operations on buckets. */
final class BucketRoutes {
    private static final Set<String> LISTING =
            Set.of(
                    "prefix",
                    "delimiter",
                    "max-keys",
                    "encoding-type",
                    "marker",
                    "list-type",
                    "continuation-token",
                    "start-after",
                    "fetch-owner",
                    "allow-unordered",
                    "metadata");
    private static final Set<String> LISTING_VERSIONS =
            Set.of(
                    "prefix",
                    "delimiter",
                    "max-keys",
                    "encoding-type",
                    "key-marker",
                    "version-id-marker",
                    "metadata");
    private static final Set<String> LISTING_UPLOADS =
            Set.of(
                    "prefix",
                    "delimiter",
                    "max-uploads",
                    "encoding-type",
                    "key-marker",
                    "upload-id-marker");
    private static final Set<String> NOTHING = Set.of();

    private BucketRoutes() {}

    static S3Operation of(String method, String bucket, Selection selection) {
        S3Operation unsupported =
                new S3Operation.UnsupportedOnBucket(bucket, selection.describe(method));
        boolean plain = selection.plain(NOTHING);
        return switch (method) {
            case "GET" -> readBucket(bucket, selection);
            case "HEAD" -> plain ? new S3Operation.HeadBucket(bucket) : unsupported;
            case "PUT" ->
                    plain
                            ? new S3Operation.CreateBucket(bucket)
                            : selection
                                    .configuration()
                                    .filter(BucketConfiguration::settable)
                                    .filter(found -> selection.is(found.subResource(), NOTHING))
                                    .<S3Operation>map(
                                            found ->
                                                    new S3Operation.PutBucketConfiguration(
                                                            bucket, found))
                                    .orElse(unsupported);
            case "DELETE" -> deleteBucket(bucket, selection);
            case "POST" -> postBucket(bucket, selection, unsupported);
            default -> throw S3RequestParser.methodNotAllowed(method, "BUCKET");
        };
    }

    private static S3Operation postBucket(
            String bucket, Selection selection, S3Operation unsupported) {
        if (selection.plain(NOTHING)) {
            return new S3Operation.PostObject(bucket, "", Optional.empty(), Optional.empty());
        }
        return selection.is("delete", NOTHING)
                ? new S3Operation.DeleteObjects(bucket)
                : unsupported;
    }

    private static S3Operation readBucket(String bucket, Selection selection) {
        if (selection.plain(LISTING)) {
            return selection.first("list-type").filter("2"::equals).isPresent()
                    ? new S3Operation.ListObjectsV2(bucket)
                    : new S3Operation.ListObjectsV1(bucket);
        }
        if (selection.is("location", NOTHING)) {
            return new S3Operation.GetBucketLocation(bucket);
        }
        if (selection.is("uploads", LISTING_UPLOADS)) {
            return new S3Operation.ListMultipartUploads(bucket);
        }
        if (selection.is("versions", LISTING_VERSIONS)) {
            return new S3Operation.ListObjectVersions(bucket);
        }
        return selection
                .configuration()
                .<S3Operation>map(found -> new S3Operation.GetBucketConfiguration(bucket, found))
                .orElseGet(
                        () ->
                                new S3Operation.UnsupportedOnBucket(
                                        bucket, selection.describe("GET")));
    }

    private static S3Operation deleteBucket(String bucket, Selection selection) {
        if (selection.plain(NOTHING)) {
            return new S3Operation.DeleteBucket(bucket);
        }
        return selection
                .configuration()
                .filter(BucketConfiguration::deletable)
                .<S3Operation>map(found -> new S3Operation.DeleteBucketConfiguration(bucket, found))
                .orElseGet(
                        () ->
                                new S3Operation.UnsupportedOnBucket(
                                        bucket, selection.describe("DELETE")));
    }
}
