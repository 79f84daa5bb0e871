package io.dedupstore.server.s3.access;

import io.dedupstore.server.s3.Actions;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Every action that an operation needs on its own bucket or key, with what the request's headers
 * add to it. What it needs elsewhere, such as on the source of a copy, the operation asks itself.
 */
final class RequiredActions {
    /** Operations whose request tells what the object will be like. */
    private static final Set<Class<? extends S3Operation>> MAKING_OBJECTS =
            Set.of(
                    S3Operation.PutObject.class,
                    S3Operation.PostObject.class,
                    S3Operation.CopyObject.class,
                    S3Operation.CreateMultipartUpload.class);

    private RequiredActions() {}

    static List<String> ofService(S3Request request, S3Operation.OfService operation) {
        List<String> actions = new ArrayList<>(List.of(Actions.of(operation, false)));
        if (operation instanceof S3Operation.CreateBucket) {
            if (RequestedAcl.isGiven(request)) {
                actions.add("s3:PutBucketAcl");
            }
            if (request.nonEmptyHeader("x-amz-object-ownership").isPresent()) {
                actions.add("s3:PutBucketOwnershipControls");
            }
            if (request.header("x-amz-bucket-object-lock-enabled")
                    .filter("true"::equalsIgnoreCase)
                    .isPresent()) {
                actions.add("s3:PutBucketObjectLockConfiguration");
                actions.add("s3:PutBucketVersioning");
            }
        }
        return actions;
    }

    /** Whether each key of the request's body is a decision of its own. */
    static boolean decidesPerKey(S3Operation.OfBucket operation) {
        return operation instanceof S3Operation.DeleteObjects;
    }

    static List<String> ofBucket(S3Request request, S3Operation.OfBucket operation) {
        return switch (operation) {
            case S3Operation.GetBucketConfiguration o ->
                    List.of(configuration("Get", o.configuration()));
            case S3Operation.PutBucketConfiguration o ->
                    List.of(configuration("Put", o.configuration()));
            case S3Operation.DeleteBucketConfiguration o ->
                    List.of(configuration("Delete", o.configuration()));
            default -> List.of(Actions.of(operation, false));
        };
    }

    private static String configuration(String verb, BucketConfiguration configuration) {
        boolean ownDelete =
                configuration == BucketConfiguration.POLICY
                        || configuration == BucketConfiguration.WEBSITE;
        String does = verb.equals("Delete") && !ownDelete ? "Put" : verb;
        return "s3:" + does + noun(configuration);
    }

    private static String noun(BucketConfiguration configuration) {
        return switch (configuration) {
            case ACCELERATE -> "AccelerateConfiguration";
            case ACL -> "BucketAcl";
            case ANALYTICS -> "AnalyticsConfiguration";
            case CORS -> "BucketCORS";
            case ENCRYPTION -> "EncryptionConfiguration";
            case INTELLIGENT_TIERING -> "IntelligentTieringConfiguration";
            case INVENTORY -> "InventoryConfiguration";
            case LIFECYCLE -> "LifecycleConfiguration";
            case LOGGING -> "BucketLogging";
            case METRICS -> "MetricsConfiguration";
            case NOTIFICATION -> "BucketNotification";
            case OBJECT_LOCK -> "BucketObjectLockConfiguration";
            case OWNERSHIP_CONTROLS -> "BucketOwnershipControls";
            case POLICY -> "BucketPolicy";
            case POLICY_STATUS -> "BucketPolicyStatus";
            case PUBLIC_ACCESS_BLOCK -> "BucketPublicAccessBlock";
            case REPLICATION -> "ReplicationConfiguration";
            case REQUEST_PAYMENT -> "BucketRequestPayment";
            case TAGGING -> "BucketTagging";
            case VERSIONING -> "BucketVersioning";
            case WEBSITE -> "BucketWebsite";
        };
    }

    static List<String> ofObject(S3Request request, S3Operation.OfObject operation) {
        boolean versioned = request.query().nonEmpty("versionId").isPresent();
        List<String> actions = new ArrayList<>();
        actions.add(Actions.of(operation, versioned));
        if (operation instanceof S3Operation.GetObjectAttributes) {
            actions.add(versioned ? "s3:GetObjectVersion" : "s3:GetObject");
        }
        return actions;
    }

    /** What is said of an object at its making. */
    static List<String> ofNewObject(S3Request request, S3Operation.OfObject operation) {
        List<String> actions = new ArrayList<>();
        if (!MAKING_OBJECTS.contains(operation.getClass())) {
            return actions;
        }
        if (RequestedAcl.isGiven(request)) {
            actions.add("s3:PutObjectAcl");
        }
        if (request.nonEmptyHeader("x-amz-tagging").isPresent()) {
            actions.add("s3:PutObjectTagging");
        }
        boolean retention =
                request.nonEmptyHeader("x-amz-object-lock-mode").isPresent()
                        || request.nonEmptyHeader("x-amz-object-lock-retain-until-date")
                                .isPresent();
        if (retention) {
            actions.add("s3:PutObjectRetention");
        }
        if (request.nonEmptyHeader("x-amz-object-lock-legal-hold").isPresent()) {
            actions.add("s3:PutObjectLegalHold");
        }
        return actions;
    }
}
