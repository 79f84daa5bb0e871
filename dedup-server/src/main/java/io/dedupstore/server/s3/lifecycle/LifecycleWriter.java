package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.time.Instant;
import java.util.List;

/** Writes rules as they are answered: in the form in which they came, prefixes outside filters. */
final class LifecycleWriter {
    private LifecycleWriter() {}

    static byte[] document(byte[] given, List<LifecycleRule> rules) {
        List<XmlElement> elements =
                XmlReader.parse(given, "LifecycleConfiguration").children("Rule");
        XmlWriter xml = XmlWriter.s3("LifecycleConfiguration");
        for (int i = 0; i < rules.size(); i++) {
            write(xml, rules.get(i), elements.get(i));
        }
        return xml.toBytes();
    }

    private static void write(XmlWriter xml, LifecycleRule rule, XmlElement given) {
        xml.open("Rule").text("ID", rule.id());
        boolean filtered = given.child("Filter").isPresent();
        if (filtered) {
            writeFilter(xml, rule.filter(), given);
        } else {
            xml.text("Prefix", rule.filter().prefix());
        }
        xml.text("Status", rule.enabled() ? "Enabled" : "Disabled");
        rule.expiration().ifPresent(expiration -> write(xml, expiration));
        rule.noncurrent()
                .ifPresent(
                        noncurrent -> {
                            xml.open("NoncurrentVersionExpiration")
                                    .text("NoncurrentDays", noncurrent.afterDays());
                            if (noncurrent.kept() > 0) {
                                xml.text("NewerNoncurrentVersions", noncurrent.kept());
                            }
                            xml.close();
                        });
        rule.abortAfterDays()
                .ifPresent(
                        days ->
                                xml.open("AbortIncompleteMultipartUpload")
                                        .text("DaysAfterInitiation", days)
                                        .close());
        xml.close();
    }

    private static void write(XmlWriter xml, LifecycleRule.Expiration expiration) {
        xml.open("Expiration");
        switch (expiration) {
            case LifecycleRule.AfterDays(int days) -> xml.text("Days", days);
            case LifecycleRule.OnDate(Instant date) ->
                    xml.text("Date", S3Dates.iso(date.toEpochMilli()));
            case LifecycleRule.OfMarkers() -> xml.text("ExpiredObjectDeleteMarker", true);
        }
        xml.close();
    }

    private static void writeFilter(XmlWriter xml, LifecycleFilter filter, XmlElement rule) {
        XmlElement given = rule.child("Filter").orElseThrow();
        boolean and = given.child("And").isPresent();
        XmlElement all = given.child("And").orElse(given);
        xml.open("Filter");
        if (and) {
            xml.open("And");
        }
        if (all.child("Prefix").isPresent()) {
            xml.text("Prefix", filter.prefix());
        }
        filter.tags()
                .forEach(
                        (key, value) ->
                                xml.open("Tag").text("Key", key).text("Value", value).close());
        if (filter.largerThan() != LifecycleFilter.ANY_SIZE) {
            xml.text("ObjectSizeGreaterThan", filter.largerThan());
        }
        if (filter.smallerThan() != Long.MAX_VALUE) {
            xml.text("ObjectSizeLessThan", filter.smallerThan());
        }
        if (and) {
            xml.close();
        }
        xml.close();
    }
}
