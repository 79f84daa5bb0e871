package io.dedupstore.server.s3.logging;

import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Operation;
import java.util.Locale;
import java.util.Map;

/** What operations are called in access logs: {@code REST.}method{@code .}resource. */
final class OperationNames {
    private static final Map<BucketConfiguration, String> CONFIGURATIONS =
            Map.of(
                    BucketConfiguration.LOGGING, "LOGGING_STATUS",
                    BucketConfiguration.POLICY, "BUCKETPOLICY",
                    BucketConfiguration.POLICY_STATUS, "BUCKETPOLICYSTATUS",
                    BucketConfiguration.PUBLIC_ACCESS_BLOCK, "PUBLIC_ACCESS_BLOCK",
                    BucketConfiguration.OWNERSHIP_CONTROLS, "OWNERSHIP_CONTROLS",
                    BucketConfiguration.OBJECT_LOCK, "OBJECT_LOCK_CONFIGURATION",
                    BucketConfiguration.REQUEST_PAYMENT, "REQUEST_PAYMENT");

    private OperationNames() {}

    static String of(S3Operation operation) {
        return "REST."
                + switch (operation) {
                    case S3Operation.ListBuckets o -> "GET.SERVICE";
                    case S3Operation.CreateBucket o -> "PUT.BUCKET";
                    case S3Operation.HeadBucket o -> "HEAD.BUCKET";
                    case S3Operation.DeleteBucket o -> "DELETE.BUCKET";
                    case S3Operation.GetBucketLocation o -> "GET.LOCATION";
                    case S3Operation.ListObjectsV1 o -> "GET.BUCKET";
                    case S3Operation.ListObjectsV2 o -> "GET.BUCKET";
                    case S3Operation.ListObjectVersions o -> "GET.BUCKETVERSIONS";
                    case S3Operation.ListMultipartUploads o -> "GET.UPLOADS";
                    case S3Operation.DeleteObjects o -> "POST.MULTI_OBJECT_DELETE";
                    case S3Operation.GetBucketConfiguration o -> "GET." + name(o.configuration());
                    case S3Operation.PutBucketConfiguration o -> "PUT." + name(o.configuration());
                    case S3Operation.DeleteBucketConfiguration o ->
                            "DELETE." + name(o.configuration());
                    case S3Operation.PutObject o -> "PUT.OBJECT";
                    case S3Operation.PostObject o -> "POST.OBJECT";
                    case S3Operation.CopyObject o -> "COPY.OBJECT";
                    case S3Operation.GetObject o -> "GET.OBJECT";
                    case S3Operation.HeadObject o -> "HEAD.OBJECT";
                    case S3Operation.DeleteObject o -> "DELETE.OBJECT";
                    case S3Operation.CreateMultipartUpload o -> "POST.UPLOADS";
                    case S3Operation.UploadPart o -> "PUT.PART";
                    case S3Operation.UploadPartCopy o -> "COPY.PART";
                    case S3Operation.ListParts o -> "GET.UPLOAD";
                    case S3Operation.CompleteMultipartUpload o -> "POST.UPLOAD";
                    case S3Operation.AbortMultipartUpload o -> "DELETE.UPLOAD";
                    case S3Operation.OfBucket o -> derived(o.name(), "BUCKET");
                    case S3Operation.OfObject o -> derived(o.name(), "OBJECT");
                };
    }

    private static String name(BucketConfiguration configuration) {
        return CONFIGURATIONS.getOrDefault(
                configuration, configuration.name().toUpperCase(Locale.ROOT));
    }

    /** As in {@code GetObjectTagging}: {@code GET.OBJECT_TAGGING}. */
    private static String derived(String name, String resource) {
        for (String verb : new String[] {"Get", "Put", "Delete"}) {
            if (name.startsWith(verb)) {
                String rest = name.substring(verb.length()).replaceAll("(?<=.)([A-Z])", "_$1");
                return (verb + "." + rest).toUpperCase(Locale.ROOT);
            }
        }
        return "OTHER." + resource;
    }
}
