package io.dedupstore.server.s3;

import io.dedupstore.server.http.RequestHeaders;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which operation a request asks for. A sub-resource decides; parameters that the chosen operation
 * does not have make the request unsupported, so that an unknown sub-resource is never answered
 * with a listing.
 */
public final class S3RequestParser {
    private static final Set<String> LISTING_BUCKETS =
            Set.of("prefix", "max-buckets", "continuation-token", "bucket-region");

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
            operation = BucketRoutes.of(method, target.bucket().get(), selection);
        } else {
            boolean copy = headers.contains("x-amz-copy-source");
            operation =
                    new ObjectRoutes(target.bucket().get(), target.key().get(), selection, copy)
                            .of(method);
        }
        return new Parsed(operation, query);
    }

    /**
     * The bucket that a host names.
     *
     * @param host the Host header
     * @param baseDomains for virtual-host style, lower case
     */
    public static Optional<String> bucketOfHost(Optional<String> host, List<String> baseDomains) {
        return S3Target.bucketOfHost(host, baseDomains);
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

    static S3Exception methodNotAllowed(String method, String resourceType) {
        return new S3Exception(S3Error.METHOD_NOT_ALLOWED)
                .with("Method", method)
                .with("ResourceType", resourceType);
    }
}
