package io.dedupstore.server.s3.access;

import io.dedupstore.core.model.Permission;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the permissions of access lists allow. */
final class AclActions {
    private static final Map<String, Permission> OF_BUCKETS =
            Map.of(
                    "s3:ListBucket", Permission.READ,
                    "s3:ListBucketVersions", Permission.READ,
                    "s3:ListBucketMultipartUploads", Permission.READ,
                    "s3:GetBucketAcl", Permission.READ_ACP,
                    "s3:PutBucketAcl", Permission.WRITE_ACP,
                    "s3:PutObject", Permission.WRITE,
                    "s3:DeleteObject", Permission.WRITE,
                    "s3:ListMultipartUploadParts", Permission.WRITE,
                    "s3:AbortMultipartUpload", Permission.WRITE);

    private static final Map<String, Permission> OF_OBJECTS =
            Map.of(
                    "s3:GetObject", Permission.READ,
                    "s3:GetObjectVersion", Permission.READ,
                    "s3:GetObjectAcl", Permission.READ_ACP,
                    "s3:GetObjectVersionAcl", Permission.READ_ACP,
                    "s3:PutObjectAcl", Permission.WRITE_ACP,
                    "s3:PutObjectVersionAcl", Permission.WRITE_ACP);

    /** What an owner may do whatever the list says, so that nobody locks himself out. */
    private static final Set<String> ALWAYS_THE_OWNERS =
            Set.of(
                    "s3:GetBucketAcl",
                    "s3:PutBucketAcl",
                    "s3:GetObjectAcl",
                    "s3:GetObjectVersionAcl",
                    "s3:PutObjectAcl",
                    "s3:PutObjectVersionAcl");

    private AclActions() {}

    /** The permission on the bucket that an action needs, where one allows it. */
    static Optional<Permission> onBucket(String action) {
        return Optional.ofNullable(OF_BUCKETS.get(action));
    }

    /** The permission on the object. */
    static Optional<Permission> onObject(String action) {
        return Optional.ofNullable(OF_OBJECTS.get(action));
    }

    static boolean isAlwaysTheOwners(String action) {
        return ALWAYS_THE_OWNERS.contains(action);
    }
}
