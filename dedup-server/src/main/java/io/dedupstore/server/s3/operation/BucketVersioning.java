package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Whether and how a bucket keeps versions. Nobody comes back from it: it can only be suspended. */
final class BucketVersioning {
    private static final String ROOT = "VersioningConfiguration";
    private static final String ENABLED = "Enabled";
    private static final String SUSPENDED = "Suspended";

    private BucketVersioning() {}

    static Versioning of(ControlService control, Bucket bucket) {
        if (ObjectLockConfiguration.of(control, bucket).isPresent()) {
            return Versioning.ENABLED;
        }
        return BucketConfigurations.find(control, bucket, BucketConfiguration.VERSIONING)
                .map(BucketVersioning::read)
                .orElse(Versioning.NEVER);
    }

    /** How what is written now is to be kept. */
    static Keeping keeping(ControlService control, Bucket bucket) {
        Optional<ObjectLockConfiguration> lock = ObjectLockConfiguration.of(control, bucket);
        return lock.isPresent()
                ? new Keeping(
                        Versioning.ENABLED, lock.flatMap(ObjectLockConfiguration::defaultRetention))
                : Keeping.of(of(control, bucket));
    }

    static byte[] document(Versioning versioning) {
        return switch (versioning) {
            case NEVER -> XmlWriter.s3(ROOT).toBytes();
            case ENABLED -> XmlWriter.s3(ROOT).text("Status", ENABLED).toBytes();
            case SUSPENDED -> XmlWriter.s3(ROOT).text("Status", SUSPENDED).toBytes();
        };
    }

    /** What was kept by {@link #document}. */
    private static Versioning read(byte[] document) {
        String text = new String(document, StandardCharsets.UTF_8);
        return text.contains(ENABLED) ? Versioning.ENABLED : Versioning.SUSPENDED;
    }

    /**
     * What a bucket is to do.
     *
     * @throws S3Exception MalformedXML, IllegalVersioningConfigurationException,
     *     InvalidBucketState, NotImplemented
     */
    static byte[] checked(ControlService control, Bucket bucket, byte[] document) {
        XmlElement given = XmlReader.parse(document, ROOT);
        checkMfa(given.childText("MfaDelete").map(String::strip).orElse("Disabled"));
        String status =
                given.childText("Status")
                        .map(String::strip)
                        .orElseThrow(
                                () -> new S3Exception(S3Error.ILLEGAL_VERSIONING_CONFIGURATION));
        Versioning versioning =
                switch (status) {
                    case ENABLED -> Versioning.ENABLED;
                    case SUSPENDED -> Versioning.SUSPENDED;
                    default -> throw new S3Exception(S3Error.MALFORMED_XML);
                };
        if (versioning == Versioning.SUSPENDED
                && ObjectLockConfiguration.of(control, bucket).isPresent()) {
            throw new S3Exception(
                    S3Error.INVALID_BUCKET_STATE,
                    "An Object Lock configuration is present on this bucket, so the versioning"
                            + " state cannot be changed.");
        }
        return document(versioning);
    }

    private static void checkMfa(String text) {
        switch (text) {
            case "Disabled" -> {}
            case "Enabled" -> throw BucketDocuments.unsupported("MFA delete");
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        }
    }
}
