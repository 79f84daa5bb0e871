package io.dedupstore.server.policy;

import java.util.Set;

/** The condition keys that S3 has. */
final class S3Keys {
    /** Also the prefix of the names of all tags together. */
    static final String REQUEST_TAG = "s3:requestobjecttag";

    private static final String EXISTING_TAG = "s3:existingobjecttag/";

    private static final String PREFIX = "s3:";
    private static final Set<String> WITH_NAME =
            Set.of(EXISTING_TAG, "s3:requestobjecttag/", "s3:buckettag/");
    private static final Set<String> NAMES =
            Set.of(
                    "s3:accessgrantsinstancearn",
                    "s3:accesspointnetworkorigin",
                    "s3:authtype",
                    "s3:dataaccesspointaccount",
                    "s3:dataaccesspointarn",
                    "s3:delimiter",
                    "s3:if-match",
                    "s3:if-none-match",
                    "s3:inventoryaccessibleoptionalfields",
                    "s3:isreplicationpauserequest",
                    "s3:jobsuspendedcause",
                    "s3:locationconstraint",
                    "s3:max-keys",
                    "s3:object-lock-legal-hold",
                    "s3:object-lock-mode",
                    "s3:object-lock-remaining-retention-days",
                    "s3:object-lock-retain-until-date",
                    "s3:objectcreationoperation",
                    "s3:prefix",
                    "s3:requestobjecttagkeys",
                    "s3:resourceaccount",
                    "s3:signatureage",
                    "s3:signatureversion",
                    "s3:tlsversion",
                    "s3:versionid",
                    "s3:x-amz-acl",
                    "s3:x-amz-content-sha256",
                    "s3:x-amz-copy-source",
                    "s3:x-amz-grant-full-control",
                    "s3:x-amz-grant-read",
                    "s3:x-amz-grant-read-acp",
                    "s3:x-amz-grant-write",
                    "s3:x-amz-grant-write-acp",
                    "s3:x-amz-metadata-directive",
                    "s3:x-amz-object-ownership",
                    "s3:x-amz-server-side-encryption",
                    "s3:x-amz-server-side-encryption-aws-kms-key-id",
                    "s3:x-amz-server-side-encryption-customer-algorithm",
                    "s3:x-amz-storage-class",
                    "s3:x-amz-website-redirect-location");

    private S3Keys() {}

    /** Whether it is none of S3's keys though it says so. */
    static boolean isUnknown(String key) {
        return key.startsWith(PREFIX)
                && !NAMES.contains(key)
                && WITH_NAME.stream().noneMatch(name -> key.startsWith(name));
    }
}
