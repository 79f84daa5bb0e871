package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.lifecycle.LifecycleRule.Expiration;
import io.dedupstore.server.s3.lifecycle.LifecycleRule.Noncurrent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Reads rules and refuses those that S3 refuses, as S3 does. */
final class LifecycleReader {
    private static final int MAX_ID_CHARS = 255;
    private static final int MAX_NEWER_VERSIONS = 100;
    private static final Set<String> RULE_ELEMENTS =
            Set.of(
                    "ID",
                    "Status",
                    "Prefix",
                    "Filter",
                    "Expiration",
                    "NoncurrentVersionExpiration",
                    "AbortIncompleteMultipartUpload",
                    "Transition",
                    "NoncurrentVersionTransition");

    private LifecycleReader() {}

    static LifecycleRule rule(XmlElement rule) {
        requireKnown(rule, RULE_ELEMENTS);
        boolean enabled =
                switch (rule.requiredText("Status").strip()) {
                    case "Enabled" -> true;
                    case "Disabled" -> false;
                    default -> throw malformed();
                };
        if (!rule.children("Transition").isEmpty()
                || !rule.children("NoncurrentVersionTransition").isEmpty()) {
            throw new S3Exception(
                    S3Error.NOT_IMPLEMENTED,
                    "This server does not implement transitions to other storage classes");
        }
        LifecycleFilter filter = filter(rule);
        Optional<Expiration> expiration = rule.child("Expiration").map(LifecycleReader::expiration);
        Optional<Noncurrent> noncurrent =
                rule.child("NoncurrentVersionExpiration").map(LifecycleReader::noncurrent);
        OptionalInt abort =
                rule.child("AbortIncompleteMultipartUpload")
                        .map(
                                e ->
                                        OptionalInt.of(
                                                days(
                                                        e,
                                                        "DaysAfterInitiation",
                                                        "AbortIncompleteMultipartUpload")))
                        .orElse(OptionalInt.empty());
        if (expiration.isEmpty() && noncurrent.isEmpty() && abort.isEmpty()) {
            throw S3Exception.invalidRequest(
                    "At least one action needs to be specified in a rule.");
        }
        requireNoTags(filter, expiration, abort);
        return new LifecycleRule(id(rule), enabled, filter, expiration, noncurrent, abort);
    }

    private static void requireNoTags(
            LifecycleFilter filter, Optional<Expiration> expiration, OptionalInt abort) {
        boolean ofMarkers =
                expiration.filter(LifecycleRule.OfMarkers.class::isInstance).isPresent();
        if (filter.hasTags() && ofMarkers) {
            throw S3Exception.invalidRequest(
                    "ExpiredObjectDeleteMarker cannot be specified with Tags.");
        }
        if (filter.hasTags() && abort.isPresent()) {
            throw S3Exception.invalidRequest(
                    "AbortIncompleteMultipartUpload cannot be specified with Tags.");
        }
        if (filter.hasSizes() && (ofMarkers || abort.isPresent())) {
            throw S3Exception.invalidRequest(
                    (ofMarkers ? "ExpiredObjectDeleteMarker" : "AbortIncompleteMultipartUpload")
                            + " cannot be specified with Object Size.");
        }
    }

    private static String id(XmlElement rule) {
        String id = rule.childText("ID").map(String::strip).orElse("");
        if (id.isEmpty()) {
            return UUID.randomUUID().toString();
        }
        if (id.length() > MAX_ID_CHARS) {
            throw S3Exception.invalidArgument(
                    "ID length should not exceed allowed limit of " + MAX_ID_CHARS, "ID", id);
        }
        return id;
    }

    private static LifecycleFilter filter(XmlElement rule) {
        Optional<XmlElement> filter = rule.child("Filter");
        Optional<String> prefix = rule.childText("Prefix");
        if (filter.isPresent() == prefix.isPresent()) {
            throw malformed();
        }
        if (prefix.isPresent()) {
            return predicates(rule, Set.of("Prefix"));
        }
        XmlElement inner = filter.get();
        requireKnown(
                inner,
                Set.of("Prefix", "Tag", "And", "ObjectSizeGreaterThan", "ObjectSizeLessThan"));
        if (inner.children().size() > 1) {
            throw malformed();
        }
        Optional<XmlElement> and = inner.child("And");
        if (and.isPresent() && and.get().children().isEmpty()) {
            throw malformed();
        }
        XmlElement all = and.orElse(inner);
        Set<String> known = Set.of("Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan");
        requireKnown(all, known);
        return predicates(all, known);
    }

    private static LifecycleFilter predicates(XmlElement all, Set<String> known) {
        SortedMap<String, String> tags = new TreeMap<>();
        List<XmlElement> given = known.contains("Tag") ? all.children("Tag") : List.of();
        for (XmlElement tag : given) {
            String key = tag.requiredText("Key");
            if (tags.put(key, tag.requiredText("Value")) != null) {
                throw S3Exception.invalidRequest("Duplicate Tag Keys are not allowed.");
            }
        }
        long larger = size(all, "ObjectSizeGreaterThan").orElse(LifecycleFilter.ANY_SIZE);
        long smaller = size(all, "ObjectSizeLessThan").orElse(Long.MAX_VALUE);
        if (larger >= smaller) {
            throw S3Exception.invalidRequest(
                    "'ObjectSizeLessThan' has to be a value greater than"
                            + " 'ObjectSizeGreaterThan'.");
        }
        return new LifecycleFilter(all.childText("Prefix").orElse(""), tags, larger, smaller);
    }

    private static Optional<Long> size(XmlElement all, String name) {
        return all.childText(name).map(text -> number(text, name));
    }

    private static Expiration expiration(XmlElement expiration) {
        requireKnown(expiration, Set.of("Days", "Date", "ExpiredObjectDeleteMarker"));
        Optional<String> marker =
                expiration.childText("ExpiredObjectDeleteMarker").map(String::strip);
        boolean ofMarkers = marker.filter("true"::equals).isPresent();
        if (marker.isPresent() && !ofMarkers && !marker.get().equals("false")) {
            throw malformed();
        }
        Optional<String> date = expiration.childText("Date").map(String::strip);
        boolean days = expiration.child("Days").isPresent();
        int given = (days ? 1 : 0) + (date.isPresent() ? 1 : 0) + (ofMarkers ? 1 : 0);
        if (given != 1) {
            throw malformed();
        }
        if (ofMarkers) {
            return new LifecycleRule.OfMarkers();
        }
        return date.<Expiration>map(text -> new LifecycleRule.OnDate(midnight(text)))
                .orElseGet(
                        () -> new LifecycleRule.AfterDays(days(expiration, "Days", "Expiration")));
    }

    private static Noncurrent noncurrent(XmlElement noncurrent) {
        requireKnown(noncurrent, Set.of("NoncurrentDays", "NewerNoncurrentVersions"));
        int kept =
                noncurrent
                        .childText("NewerNoncurrentVersions")
                        .map(text -> (int) number(text, "NewerNoncurrentVersions"))
                        .orElse(0);
        boolean named = noncurrent.child("NewerNoncurrentVersions").isPresent();
        if (named && (kept < 1 || kept > MAX_NEWER_VERSIONS)) {
            throw S3Exception.invalidArgument(
                    "'NewerNoncurrentVersions' for NoncurrentVersionExpiration action must be a"
                            + " positive integer of at most "
                            + MAX_NEWER_VERSIONS,
                    "NewerNoncurrentVersions",
                    Integer.toString(kept));
        }
        return new Noncurrent(
                days(noncurrent, "NoncurrentDays", "NoncurrentVersionExpiration"), kept);
    }

    private static int days(XmlElement action, String name, String actionName) {
        String text = action.requiredText(name);
        long days = number(text, name);
        if (days < 1 || days > Integer.MAX_VALUE) {
            throw S3Exception.invalidArgument(
                    "'%s' for %s action must be a positive integer".formatted(name, actionName),
                    name,
                    text.strip());
        }
        return (int) days;
    }

    /** An integer, or MalformedXML; a negative one is -1. */
    private static long number(String text, String name) {
        try {
            long number = Long.parseLong(text.strip());
            if (number < 0 && name.startsWith("ObjectSize")) {
                throw S3Exception.invalidRequest("'" + name + "' must not be negative");
            }
            return Math.max(-1, number);
        } catch (NumberFormatException e) {
            throw malformed();
        }
    }

    private static Instant midnight(String text) {
        Instant date =
                (text.contains("T") ? S3Dates.parse(text) : S3Dates.parse(text + "T00:00:00Z"))
                        .filter(found -> text.contains("-"))
                        .orElseThrow(LifecycleReader::malformed);
        if (date.toEpochMilli() % Duration.ofDays(1).toMillis() != 0) {
            throw S3Exception.invalidArgument("'Date' must be at midnight GMT", "Date", text);
        }
        return date;
    }

    private static void requireKnown(XmlElement element, Set<String> known) {
        if (element.children().stream().anyMatch(child -> !known.contains(child.name()))) {
            throw malformed();
        }
    }

    private static S3Exception malformed() {
        return new S3Exception(S3Error.MALFORMED_XML);
    }
}
