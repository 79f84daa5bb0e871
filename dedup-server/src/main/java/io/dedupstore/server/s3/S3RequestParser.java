package io.dedupstore.server.s3;

import io.dedupstore.server.http.RequestHeaders;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which operation a request asks for. A sub-resource decides; parameters that the chosen operation
 * does not have make the request unsupported, so that an unknown sub-resource is never answered
 * with a listing.
 */
public final class S3RequestParser {
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
    private static final Set<String> LISTING_BUCKETS =
            Set.of("prefix", "max-buckets", "continuation-token", "bucket-region");
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
    private static final Set<String> AUTHENTICATION =
            Set.of("awsaccesskeyid", "signature", "expires");

    private final List<String> baseDomains;

    /**
     * @param baseDomains for virtual-host style, lower case
     */
    public S3RequestParser(List<String> baseDomains) {
        this.baseDomains = List.copyOf(baseDomains);
    }

    /** What a request asks for. */
    public record Parsed(S3Operation operation, QueryParameters query) {}

    /**
     * @throws S3Exception InvalidURI, MethodNotAllowed, NotImplemented
     */
    public Parsed parse(String method, String rawTarget, RequestHeaders headers) {
        int mark = rawTarget.indexOf('?');
        String rawPath = mark < 0 ? rawTarget : rawTarget.substring(0, mark);
        if (!rawPath.startsWith("/")) {
            throw new S3Exception(S3Error.INVALID_URI);
        }
        QueryParameters query =
                QueryParameters.parse(mark < 0 ? "" : rawTarget.substring(mark + 1));
        S3Target target = S3Target.parse(rawPath, headers.first("host"), baseDomains);
        Selection selection = new Selection(query);
        S3Operation operation;
        if (target.bucket().isEmpty()) {
            operation = ofService(method, selection);
        } else if (target.key().isEmpty()) {
            operation = ofBucket(method, target.bucket().get(), selection);
        } else {
            boolean copy = headers.contains("x-amz-copy-source");
            operation =
                    ofObject(method, target.bucket().get(), target.key().get(), selection, copy);
        }
        return new Parsed(operation, query);
    }

    private static S3Operation ofService(String method, Selection selection) {
        if (!method.equals("GET")) {
            throw method.equals("POST")
                    ? new S3Exception(S3Error.NOT_IMPLEMENTED)
                    : methodNotAllowed(method, "SERVICE");
        }
        if (selection.unexpected(LISTING_BUCKETS).isPresent()) {
            throw new S3Exception(S3Error.NOT_IMPLEMENTED);
        }
        return new S3Operation.ListBuckets();
    }

    private static S3Operation ofBucket(String method, String bucket, Selection selection) {
        S3Operation unsupported =
                new S3Operation.UnsupportedOnBucket(bucket, selection.describe(method));
        boolean plain = selection.plain(NOTHING);
        return switch (method) {
            case "GET" -> readBucket(bucket, selection);
            case "HEAD" -> plain ? new S3Operation.HeadBucket(bucket) : unsupported;
            case "PUT" -> plain ? new S3Operation.CreateBucket(bucket) : unsupported;
            case "DELETE" -> deleteBucket(bucket, selection);
            case "POST" ->
                    selection.is("delete", NOTHING)
                            ? new S3Operation.DeleteObjects(bucket)
                            : unsupported;
            default -> throw methodNotAllowed(method, "BUCKET");
        };
    }

    private static S3Operation readBucket(String bucket, Selection selection) {
        if (selection.plain(LISTING)) {
            return selection.query.first("list-type").filter("2"::equals).isPresent()
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

    private static S3Operation ofObject(
            String method, String bucket, String key, Selection selection, boolean copy) {
        return switch (method) {
            case "GET" -> readObject(bucket, key, selection);
            case "HEAD" ->
                    selection.plain(READING)
                            ? new S3Operation.HeadObject(bucket, key)
                            : new S3Operation.UnsupportedOnObject(
                                    bucket, key, selection.describe(method));
            case "PUT" -> putObject(bucket, key, selection, copy);
            case "POST" -> postObject(bucket, key, selection);
            case "DELETE" -> deleteObject(bucket, key, selection);
            default -> throw methodNotAllowed(method, "OBJECT");
        };
    }

    private static S3Operation readObject(String bucket, String key, Selection selection) {
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
        if (selection.is("retention", VERSION) || selection.is("legal-hold", VERSION)) {
            return new S3Operation.GetObjectLock(bucket, key);
        }
        return new S3Operation.UnsupportedOnObject(bucket, key, selection.describe("GET"));
    }

    private static S3Operation putObject(
            String bucket, String key, Selection selection, boolean copy) {
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
        return new S3Operation.UnsupportedOnObject(bucket, key, selection.describe("PUT"));
    }

    private static S3Operation postObject(String bucket, String key, Selection selection) {
        if (selection.is("uploads", NOTHING)) {
            return new S3Operation.CreateMultipartUpload(bucket, key);
        }
        if (selection.is("uploadId", NOTHING)) {
            return new S3Operation.CompleteMultipartUpload(
                    bucket, key, selection.value("uploadId"));
        }
        if (selection.plain(NOTHING)) {
            throw methodNotAllowed("POST", "OBJECT");
        }
        return new S3Operation.UnsupportedOnObject(bucket, key, selection.describe("POST"));
    }

    private static S3Operation deleteObject(String bucket, String key, Selection selection) {
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

    private static S3Exception methodNotAllowed(String method, String resourceType) {
        return new S3Exception(S3Error.METHOD_NOT_ALLOWED)
                .with("Method", method)
                .with("ResourceType", resourceType);
    }

    /**
     * The parameters that can select an operation: all but {@code x-id} and those of
     * authentication.
     */
    private static final class Selection {
        private final QueryParameters query;
        private final List<String> names;

        Selection(QueryParameters query) {
            this.query = query;
            this.names = query.names().stream().filter(name -> !isIgnored(name)).toList();
        }

        private static boolean isIgnored(String name) {
            String lower = name.toLowerCase(Locale.ROOT);
            return lower.startsWith("x-") || AUTHENTICATION.contains(lower);
        }

        boolean has(String name) {
            return names.contains(name);
        }

        String value(String name) {
            return query.first(name).orElse("");
        }

        Optional<String> unexpected(Set<String> allowed) {
            return names.stream().filter(name -> !allowed.contains(name)).findFirst();
        }

        /** No sub-resource, only these parameters. */
        boolean plain(Set<String> allowed) {
            return unexpected(allowed).isEmpty();
        }

        /** This sub-resource and only these parameters. */
        boolean is(String subResource, Set<String> allowed) {
            Set<String> all = new HashSet<>(allowed);
            all.add(subResource);
            return has(subResource) && plain(all);
        }

        Optional<BucketConfiguration> configuration() {
            return names.stream()
                    .flatMap(name -> BucketConfiguration.ofSubResource(name).stream())
                    .filter(found -> is(found.subResource(), Set.of("id", "continuation-token")))
                    .findFirst();
        }

        String describe(String method) {
            return names.isEmpty() ? method : method + " ?" + names.getFirst();
        }
    }
}
