package io.dedupstore.server.s3.logging;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.util.Optional;

/**
 * Where the log of a bucket goes.
 *
 * @param prefix of the keys of its objects
 * @param keys how these go on
 */
public record LoggingTarget(String bucket, String prefix, Keys keys) {
    public static final String CONFIGURATION = "logging";
    private static final String ROOT = "BucketLoggingStatus";
    private static final int MAX_PREFIX_CHARS = 800;

    /** What follows the prefix. */
    enum Keys {
        /** The time of delivery. */
        SIMPLE,
        /** Account, region, bucket and day before it, the day of the requests. */
        BY_EVENT_TIME,
        /** The same by the day of delivery. */
        BY_DELIVERY_TIME
    }

    /**
     * @return empty where logging is switched off
     * @throws S3Exception MalformedXML, NotImplemented
     */
    public static Optional<LoggingTarget> parse(byte[] document) {
        Optional<XmlElement> enabled = XmlReader.parse(document, ROOT).child("LoggingEnabled");
        if (enabled.isEmpty()) {
            return Optional.empty();
        }
        XmlElement given = enabled.get();
        if (given.child("TargetGrants")
                .filter(grants -> !grants.children().isEmpty())
                .isPresent()) {
            throw new S3Exception(
                    S3Error.NOT_IMPLEMENTED, "This server does not implement TargetGrants");
        }
        String prefix = given.requiredText("TargetPrefix");
        if (prefix.length() > MAX_PREFIX_CHARS) {
            throw S3Exception.invalidArgument(
                    "The target prefix is too long", "TargetPrefix", prefix);
        }
        Keys keys =
                given.child("TargetObjectKeyFormat").map(LoggingTarget::keys).orElse(Keys.SIMPLE);
        return Optional.of(
                new LoggingTarget(given.requiredText("TargetBucket").strip(), prefix, keys));
    }

    private static Keys keys(XmlElement format) {
        Optional<XmlElement> partitioned = format.child("PartitionedPrefix");
        if (partitioned.isPresent() == format.child("SimplePrefix").isPresent()) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        if (partitioned.isEmpty()) {
            return Keys.SIMPLE;
        }
        return switch (partitioned.get().childText("PartitionDateSource").orElse("DeliveryTime")) {
            case "EventTime" -> Keys.BY_EVENT_TIME;
            case "DeliveryTime" -> Keys.BY_DELIVERY_TIME;
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        };
    }

    /**
     * What a request sets, as it is kept.
     *
     * @throws S3Exception also InvalidTargetBucketForLogging
     */
    public static byte[] checked(ControlService control, Bucket source, byte[] document) {
        XmlWriter xml = XmlWriter.s3(ROOT);
        parse(document)
                .ifPresent(
                        target -> {
                            target.requireBucket(control, source);
                            target.write(xml);
                        });
        return xml.toBytes();
    }

    private void requireBucket(ControlService control, Bucket source) {
        Bucket found =
                control.findBucket(bucket)
                        .orElseThrow(() -> refused("The target bucket for logging does not exist"));
        if (!found.owner().equals(source.owner())) {
            throw refused(
                    "The owner for the bucket to be logged and the target bucket must be the same.");
        }
    }

    private S3Exception refused(String why) {
        return new S3Exception(S3Error.INVALID_TARGET_BUCKET_FOR_LOGGING, why)
                .with("TargetBucket", bucket);
    }

    private void write(XmlWriter xml) {
        xml.open("LoggingEnabled").text("TargetBucket", bucket).text("TargetPrefix", prefix);
        switch (keys) {
            case SIMPLE -> {}
            case BY_EVENT_TIME -> writePartitioned(xml, "EventTime");
            case BY_DELIVERY_TIME -> writePartitioned(xml, "DeliveryTime");
        }
        xml.close();
    }

    private static void writePartitioned(XmlWriter xml, String source) {
        xml.open("TargetObjectKeyFormat")
                .open("PartitionedPrefix")
                .text("PartitionDateSource", source)
                .close()
                .close();
    }
}
