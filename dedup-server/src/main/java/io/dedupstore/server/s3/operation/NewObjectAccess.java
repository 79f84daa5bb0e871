package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.access.AccessCheck;
import io.dedupstore.server.s3.access.BucketAccess;
import io.dedupstore.server.s3.access.Directory;
import io.dedupstore.server.s3.access.Ownership;
import io.dedupstore.server.s3.access.RequestedAcl;
import java.util.Optional;

/** Who will own an object that a request makes, and whom it is open to. */
final class NewObjectAccess {
    private final AccessCheck access;

    NewObjectAccess(S3Services services) {
        this.access = services.access();
    }

    /**
     * To be called before anything is written.
     *
     * @throws S3Exception AccessControlListNotSupported, AccessDenied for a list that the bucket
     *     blocks, and what is wrong with the headers
     */
    ObjectAttributes.Access of(S3Request request, Bucket bucket) {
        BucketAccess settings = access.buckets().of(bucket);
        Optional<String> canned = request.nonEmptyHeader(RequestedAcl.CANNED);
        boolean toBucketOwner =
                canned.filter(RequestedAcl.BUCKET_OWNER_FULL_CONTROL::equals).isPresent();
        if (settings.enforced()) {
            if (RequestedAcl.isGiven(request) && !toBucketOwner) {
                throw new S3Exception(S3Error.ACCESS_CONTROL_LIST_NOT_SUPPORTED);
            }
            return ObjectAttributes.Access.OF_BUCKET;
        }
        String writer = writer(request);
        boolean bucketOwners =
                writer.equals(bucket.owner())
                        || (toBucketOwner
                                && settings.ownership() == Ownership.BUCKET_OWNER_PREFERRED);
        String owner = bucketOwners ? bucket.owner() : writer;
        Directory directory = access.directory();
        Optional<AccessList> list =
                RequestedAcl.of(
                        request,
                        directory.canonicalId(owner),
                        directory.canonicalId(bucket.owner()),
                        false,
                        directory);
        if (settings.block().blockAcls() && list.filter(AccessList::isPublic).isPresent()) {
            throw new S3Exception(S3Error.ACCESS_DENIED);
        }
        if (bucketOwners) {
            return new ObjectAttributes.Access(Optional.empty(), list);
        }
        access.buckets().markForeign(bucket);
        return new ObjectAttributes.Access(Optional.of(owner), list);
    }

    private static String writer(S3Request request) {
        return switch (request.principal()) {
            case Principal.Account account -> account.accountId();
            case Principal.Anonymous anonymous -> Directory.ANONYMOUS;
        };
    }
}
