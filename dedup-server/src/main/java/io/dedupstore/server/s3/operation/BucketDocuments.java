package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlWriter;
import io.dedupstore.server.s3.lifecycle.LifecycleRules;
import java.io.IOException;
import java.util.Optional;

/**
 * What clients read about buckets and objects: each setting as it was set, or in its unset form.
 */
final class BucketDocuments {
    private final ControlService control;
    private final Regions regions;
    private final boolean encryptsAlways;

    BucketDocuments(S3Services services) {
        this.control = services.control();
        this.regions = new Regions(services.settings().region());
        this.encryptsAlways = services.settings().encryption().always();
    }

    void head(S3Request request, Bucket bucket) throws IOException {
        request.respond(
                200,
                request.newHeaders()
                        .add("x-amz-bucket-region", regions.of(bucket))
                        .add("x-amz-access-point-alias", "false"));
    }

    void location(S3Request request, Bucket bucket) throws IOException {
        request.respond(XmlWriter.s3("LocationConstraint").content(regions.constraintOf(bucket)));
    }

    void configuration(S3Request request, Bucket bucket, BucketConfiguration configuration)
            throws IOException {
        Optional<byte[]> set = BucketConfigurations.find(control, bucket, configuration);
        if (set.isEmpty() && configuration == BucketConfiguration.ENCRYPTION && encryptsAlways) {
            request.respond(BucketEncryption.MANAGED.document());
            return;
        }
        if (set.isPresent() && configuration == BucketConfiguration.LIFECYCLE) {
            ResponseHeaders headers =
                    request.newHeaders()
                            .add(LifecycleRules.MINIMUM_SIZE_HEADER, LifecycleRules.MINIMUM_SIZE);
            request.respond(headers, set.get());
            return;
        }
        if (set.isPresent()) {
            request.respond(set.get());
            return;
        }
        request.respond(
                switch (configuration) {
                    case ACCELERATE -> XmlWriter.s3("AccelerateConfiguration");
                    case ACL, POLICY, POLICY_STATUS ->
                            throw new IllegalStateException(
                                    configuration + " is answered elsewhere");
                    case ANALYTICS -> list(request, "ListBucketAnalyticsConfigurationResult");
                    case CORS -> throw new S3Exception(S3Error.NO_SUCH_CORS_CONFIGURATION);
                    case ENCRYPTION ->
                            throw new S3Exception(
                                    S3Error.SERVER_SIDE_ENCRYPTION_CONFIGURATION_NOT_FOUND);
                    case INTELLIGENT_TIERING ->
                            list(request, "ListBucketIntelligentTieringConfigurationsOutput");
                    case INVENTORY -> list(request, "ListInventoryConfigurationsResult");
                    case LIFECYCLE ->
                            throw new S3Exception(S3Error.NO_SUCH_LIFECYCLE_CONFIGURATION);
                    case LOGGING -> XmlWriter.s3("BucketLoggingStatus");
                    case METRICS -> list(request, "ListMetricsConfigurationsResult");
                    case NOTIFICATION -> XmlWriter.s3("NotificationConfiguration");
                    case OBJECT_LOCK ->
                            throw new S3Exception(S3Error.OBJECT_LOCK_CONFIGURATION_NOT_FOUND);
                    case OWNERSHIP_CONTROLS ->
                            throw new S3Exception(S3Error.OWNERSHIP_CONTROLS_NOT_FOUND);
                    case PUBLIC_ACCESS_BLOCK ->
                            throw new S3Exception(
                                    S3Error.NO_SUCH_PUBLIC_ACCESS_BLOCK_CONFIGURATION);
                    case REPLICATION ->
                            throw new S3Exception(S3Error.REPLICATION_CONFIGURATION_NOT_FOUND);
                    case REQUEST_PAYMENT ->
                            XmlWriter.s3("RequestPaymentConfiguration")
                                    .text("Payer", "BucketOwner");
                    case TAGGING ->
                            throw new S3Exception(S3Error.NO_SUCH_TAG_SET)
                                    .with("BucketName", bucket.name());
                    case VERSIONING -> XmlWriter.s3("VersioningConfiguration");
                    case WEBSITE ->
                            throw new S3Exception(S3Error.NO_SUCH_WEBSITE_CONFIGURATION)
                                    .with("BucketName", bucket.name());
                });
    }

    static S3Exception unsupported(String what) {
        return new S3Exception(S3Error.NOT_IMPLEMENTED, "This server does not implement " + what);
    }

    /** Settings that a bucket may have many of: none, and so none of any id. */
    private static XmlWriter list(S3Request request, String root) {
        if (request.query().has("id")) {
            throw new S3Exception(S3Error.NO_SUCH_CONFIGURATION);
        }
        return XmlWriter.s3(root).text("IsTruncated", false);
    }
}
