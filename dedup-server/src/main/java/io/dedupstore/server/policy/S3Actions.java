package io.dedupstore.server.policy;

import java.util.List;
import java.util.stream.Stream;

/** The actions of S3, by what they are done to. */
final class S3Actions {
    private static final List<String> ON_BUCKETS =
            names(
                    "CreateBucket DeleteBucket ListBucket ListBucketVersions"
                            + " ListBucketMultipartUploads GetBucketLocation GetBucketAcl PutBucketAcl"
                            + " GetAccelerateConfiguration PutAccelerateConfiguration"
                            + " GetAnalyticsConfiguration PutAnalyticsConfiguration GetBucketCORS"
                            + " PutBucketCORS GetEncryptionConfiguration PutEncryptionConfiguration"
                            + " GetIntelligentTieringConfiguration PutIntelligentTieringConfiguration"
                            + " GetInventoryConfiguration PutInventoryConfiguration"
                            + " GetLifecycleConfiguration PutLifecycleConfiguration GetBucketLogging"
                            + " PutBucketLogging GetMetricsConfiguration PutMetricsConfiguration"
                            + " GetBucketNotification PutBucketNotification"
                            + " GetBucketObjectLockConfiguration PutBucketObjectLockConfiguration"
                            + " GetBucketOwnershipControls PutBucketOwnershipControls GetBucketPolicy"
                            + " PutBucketPolicy DeleteBucketPolicy GetBucketPolicyStatus"
                            + " GetBucketPublicAccessBlock PutBucketPublicAccessBlock"
                            + " GetReplicationConfiguration PutReplicationConfiguration"
                            + " GetBucketRequestPayment PutBucketRequestPayment GetBucketTagging"
                            + " PutBucketTagging GetBucketVersioning PutBucketVersioning"
                            + " GetBucketWebsite PutBucketWebsite DeleteBucketWebsite"
                            + " GetBucketOwnershipControls CreateBucketMetadataTableConfiguration"
                            + " GetBucketMetadataTableConfiguration"
                            + " DeleteBucketMetadataTableConfiguration ListTagsForResource"
                            + " TagResource UntagResource");

    private static final List<String> ON_OBJECTS =
            names(
                    "GetObject GetObjectVersion PutObject DeleteObject DeleteObjectVersion"
                            + " GetObjectAcl GetObjectVersionAcl PutObjectAcl PutObjectVersionAcl"
                            + " GetObjectAttributes GetObjectVersionAttributes GetObjectTagging"
                            + " GetObjectVersionTagging PutObjectTagging PutObjectVersionTagging"
                            + " DeleteObjectTagging DeleteObjectVersionTagging GetObjectRetention"
                            + " PutObjectRetention GetObjectLegalHold PutObjectLegalHold"
                            + " BypassGovernanceRetention AbortMultipartUpload"
                            + " ListMultipartUploadParts RestoreObject GetObjectTorrent"
                            + " GetObjectVersionTorrent GetObjectVersionForReplication"
                            + " InitiateReplication ReplicateDelete ReplicateObject ReplicateTags"
                            + " ObjectOwnerOverrideToBucketOwner UpdateObjectEncryption"
                            + " GetObjectAnnotation PutObjectAnnotation DeleteObjectAnnotation"
                            + " ListObjectAnnotations RenameObject");

    private static final List<String> ON_ACCOUNTS =
            names(
                    "ListAllMyBuckets GetAccountPublicAccessBlock PutAccountPublicAccessBlock"
                            + " CreateJob ListJobs CreateAccessPoint ListAccessPoints"
                            + " ListStorageLensConfigurations");

    private S3Actions() {}

    private static List<String> names(String text) {
        return Stream.of(text.split(" ")).map(name -> "s3:" + name).toList();
    }

    static boolean knows(PolicyPattern pattern) {
        return onBuckets(pattern) || onObjects(pattern) || any(ON_ACCOUNTS, pattern);
    }

    static boolean onBuckets(PolicyPattern pattern) {
        return any(ON_BUCKETS, pattern);
    }

    static boolean onObjects(PolicyPattern pattern) {
        return any(ON_OBJECTS, pattern);
    }

    private static boolean any(List<String> actions, PolicyPattern pattern) {
        return actions.stream().anyMatch(action -> pattern.matchesIgnoringCase(action, Facts.NONE));
    }
}
