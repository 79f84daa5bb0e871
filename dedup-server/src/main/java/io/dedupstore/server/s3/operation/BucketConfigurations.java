package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.CorsRules;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import io.dedupstore.server.s3.access.AccessCheck;
import io.dedupstore.server.s3.access.BucketAccesses;
import io.dedupstore.server.s3.access.Ownership;
import io.dedupstore.server.s3.access.PublicAccessBlock;
import io.dedupstore.server.s3.lifecycle.LifecycleRules;
import io.dedupstore.server.s3.logging.LoggingTarget;
import java.io.IOException;
import java.util.Optional;

/**
 * Settings of buckets that can be set: each document is read whole, checked, and kept in the form
 * in which it is answered. What a setting would promise and the store can't keep is refused.
 */
final class BucketConfigurations {
    private static final int MAX_BYTES = 64 << 10;

    /** A thousand rules. */
    private static final int MAX_LIFECYCLE_BYTES = 192 << 10;

    private final ControlService control;
    private final Documents documents;
    private final AccessCheck access;

    BucketConfigurations(S3Services services, Documents documents) {
        this.control = services.control();
        this.documents = documents;
        this.access = services.access();
    }

    /** What is set, as it is answered. */
    static Optional<byte[]> find(
            ControlService control, Bucket bucket, BucketConfiguration configuration) {
        return control.bucketConfiguration(bucket.id(), configuration.subResource());
    }

    void put(S3Request request, Bucket bucket, BucketConfiguration configuration)
            throws IOException {
        // The one document that clients send without a digest of it.
        byte[] document = documents.read(request, configuration != BucketConfiguration.VERSIONING);
        if (document.length > limit(configuration)) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        byte[] kept = checked(bucket, configuration, document);
        control.setBucketConfiguration(bucket.id(), configuration.subResource(), Optional.of(kept));
        ResponseHeaders headers = request.newHeaders();
        if (configuration == BucketConfiguration.LIFECYCLE) {
            headers.add(LifecycleRules.MINIMUM_SIZE_HEADER, LifecycleRules.MINIMUM_SIZE);
        }
        request.respond(configuration == BucketConfiguration.TAGGING ? 204 : 200, headers);
    }

    void delete(S3Request request, Bucket bucket, BucketConfiguration configuration)
            throws IOException {
        if (find(control, bucket, configuration).isPresent()) {
            control.setBucketConfiguration(
                    bucket.id(), configuration.subResource(), Optional.empty());
        }
        request.respondEmpty(204);
    }

    /** That there be none is the one wish that can be granted. */
    private static byte[] noNotification(byte[] document) {
        String root = "NotificationConfiguration";
        if (!XmlReader.parse(document, root).children().isEmpty()) {
            throw BucketDocuments.unsupported("notifications");
        }
        return XmlWriter.s3(root).toBytes();
    }

    private static int limit(BucketConfiguration configuration) {
        return configuration == BucketConfiguration.LIFECYCLE ? MAX_LIFECYCLE_BYTES : MAX_BYTES;
    }

    private byte[] checked(Bucket bucket, BucketConfiguration configuration, byte[] document) {
        return switch (configuration) {
            case ENCRYPTION -> BucketEncryption.parse(document).document();
            case CORS -> CorsRules.parse(document).document();
            case LIFECYCLE -> LifecycleRules.parse(document).document();
            case NOTIFICATION -> noNotification(document);
            case LOGGING -> LoggingTarget.checked(control, bucket, document);
            case OBJECT_LOCK -> ObjectLockConfiguration.checked(control, bucket, document);
            case OWNERSHIP_CONTROLS -> ownership(bucket, document);
            case PUBLIC_ACCESS_BLOCK -> PublicAccessBlock.parse(document).document();
            case REQUEST_PAYMENT -> payer(document);
            case TAGGING -> TagSet.ofBucket(document).document();
            case VERSIONING -> BucketVersioning.checked(control, bucket, document);
            case ACCELERATE,
                    ACL,
                    ANALYTICS,
                    INTELLIGENT_TIERING,
                    INVENTORY,
                    METRICS,
                    POLICY,
                    POLICY_STATUS,
                    REPLICATION,
                    WEBSITE ->
                    throw BucketDocuments.unsupported("PUT ?" + configuration.subResource());
        };
    }

    /** With lists switched off, nothing that a list has granted may go on being granted. */
    private byte[] ownership(Bucket bucket, byte[] document) {
        Ownership ownership = BucketAccesses.ownership(document);
        String owner = access.directory().canonicalId(bucket.owner());
        boolean closed =
                access.buckets()
                        .of(bucket)
                        .list()
                        .filter(list -> !list.equals(AccessList.ofOwner(owner)))
                        .isEmpty();
        if (ownership == Ownership.BUCKET_OWNER_ENFORCED && !closed) {
            throw new S3Exception(S3Error.INVALID_BUCKET_ACL_WITH_OBJECT_OWNERSHIP);
        }
        return ownership.document();
    }

    private static byte[] payer(byte[] document) {
        String root = "RequestPaymentConfiguration";
        String payer = XmlReader.parse(document, root).requiredText("Payer").strip();
        return switch (payer) {
            case "BucketOwner" -> XmlWriter.s3(root).text("Payer", payer).toBytes();
            case "Requester" -> throw BucketDocuments.unsupported("requester pays");
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        };
    }
}
