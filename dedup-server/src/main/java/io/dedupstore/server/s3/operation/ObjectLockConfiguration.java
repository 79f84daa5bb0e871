package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.Retention;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.util.List;
import java.util.Optional;

/**
 * That versions of a bucket can be locked, and what locks those that say nothing themselves. Once
 * there, it stays; what it says of new versions may change.
 */
record ObjectLockConfiguration(Optional<Rule> rule) {
    private static final String ROOT = "ObjectLockConfiguration";
    private static final String ENABLED = "Enabled";
    private static final int MAX_YEARS = 100;
    private static final int DAYS_OF_YEAR = 365;
    private static final long MILLIS_OF_DAY = 24L * 3600 * 1000;

    /** Locked from the beginning, and nothing by itself. */
    static final ObjectLockConfiguration PLAIN = new ObjectLockConfiguration(Optional.empty());

    /** In days or in years, as the client has said it. */
    record Rule(Retention.Mode mode, boolean years, int count) {
        long millis() {
            return (years ? (long) count * DAYS_OF_YEAR : count) * MILLIS_OF_DAY;
        }
    }

    static Optional<ObjectLockConfiguration> of(ControlService control, Bucket bucket) {
        return BucketConfigurations.find(control, bucket, BucketConfiguration.OBJECT_LOCK)
                .map(ObjectLockConfiguration::parse);
    }

    Optional<Keeping.Default> defaultRetention() {
        return rule.map(r -> new Keeping.Default(r.mode(), r.millis()));
    }

    /**
     * What is to be kept for a bucket, which must have versions.
     *
     * @throws S3Exception MalformedXML, InvalidRetentionPeriod, InvalidArgument, InvalidBucketState
     */
    static byte[] checked(ControlService control, Bucket bucket, byte[] document) {
        if (BucketVersioning.of(control, bucket) != Versioning.ENABLED) {
            throw new S3Exception(
                    S3Error.INVALID_BUCKET_STATE,
                    "Versioning must be 'Enabled' on the bucket to apply a Object Lock"
                            + " configuration");
        }
        return parse(document).document();
    }

    byte[] document() {
        XmlWriter xml = XmlWriter.s3(ROOT).text("ObjectLockEnabled", ENABLED);
        rule.ifPresent(
                r ->
                        xml.open("Rule")
                                .open("DefaultRetention")
                                .text("Mode", r.mode().name())
                                .text(r.years() ? "Years" : "Days", r.count())
                                .close()
                                .close());
        return xml.toBytes();
    }

    static ObjectLockConfiguration parse(byte[] document) {
        XmlElement given = XmlReader.parse(document, ROOT);
        if (!given.requiredText("ObjectLockEnabled").strip().equals(ENABLED)) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        List<XmlElement> rules = given.children("Rule");
        if (rules.size() > 1) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return new ObjectLockConfiguration(
                rules.stream().findFirst().map(ObjectLockConfiguration::rule));
    }

    private static Rule rule(XmlElement rule) {
        XmlElement retention =
                rule.child("DefaultRetention")
                        .orElseThrow(() -> new S3Exception(S3Error.MALFORMED_XML));
        Retention.Mode mode = LockDocuments.mode(retention.requiredText("Mode").strip());
        Optional<String> days = retention.childText("Days").map(String::strip);
        Optional<String> years = retention.childText("Years").map(String::strip);
        if (days.isPresent() == years.isPresent()) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        int most = days.isPresent() ? MAX_YEARS * DAYS_OF_YEAR : MAX_YEARS;
        return new Rule(mode, years.isPresent(), count(days.or(() -> years).get(), most));
    }

    private static int count(String text, int most) {
        long count;
        try {
            count = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new S3Exception(S3Error.MALFORMED_XML, S3Error.MALFORMED_XML.message(), e);
        }
        if (count <= 0) {
            throw new S3Exception(S3Error.INVALID_RETENTION_PERIOD);
        }
        if (count > most) {
            throw new S3Exception(
                    S3Error.INVALID_ARGUMENT,
                    "Default retention period too large, must be less than " + (most + 1));
        }
        return (int) count;
    }
}
