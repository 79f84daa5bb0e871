package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.List;
import java.util.Set;

/** Headers of writes whose promise this server can't keep. To ignore them would be to break it. */
final class UnsupportedHeaders {
    private static final Set<String> OWNER_ONLY_ACLS =
            Set.of("private", "bucket-owner-full-control", "bucket-owner-read");
    private static final List<String> NOT_IMPLEMENTED = List.of("x-amz-write-offset-bytes");

    private UnsupportedHeaders() {}

    /** For operations that make objects or uploads. */
    static void check(S3Request request) {
        checkAcl(request, S3Error.ACCESS_CONTROL_LIST_NOT_SUPPORTED);
        for (String name : request.headerNames()) {
            if (NOT_IMPLEMENTED.stream().anyMatch(name::startsWith)) {
                throw S3Exception.notImplementedHeader(name);
            }
        }
    }

    static void checkAcl(S3Request request, S3Error refusal) {
        boolean grants =
                request.headerNames().stream().anyMatch(name -> name.startsWith("x-amz-grant-"));
        boolean opens =
                request.nonEmptyHeader("x-amz-acl")
                        .filter(acl -> !OWNER_ONLY_ACLS.contains(acl))
                        .isPresent();
        if (grants || opens) {
            throw new S3Exception(refusal);
        }
    }
}
