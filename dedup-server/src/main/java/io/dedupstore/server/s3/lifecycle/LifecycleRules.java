package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The life-cycle configuration of a bucket.
 *
 * @param document as it is answered
 */
public record LifecycleRules(List<LifecycleRule> rules, byte[] document) {
    /** Of transitions, of which there are none; clients expect to be told. */
    public static final String MINIMUM_SIZE_HEADER = "x-amz-transition-default-minimum-object-size";

    public static final String MINIMUM_SIZE = "all_storage_classes_128K";

    private static final String ROOT = "LifecycleConfiguration";
    private static final int MAX_RULES = 1000;

    public LifecycleRules {
        rules = List.copyOf(rules);
        document = document.clone();
    }

    /**
     * @throws S3Exception MalformedXML, InvalidArgument, InvalidRequest, NotImplemented
     */
    public static LifecycleRules parse(byte[] document) {
        List<LifecycleRule> rules =
                XmlReader.parse(document, ROOT).children("Rule").stream()
                        .map(LifecycleReader::rule)
                        .toList();
        if (rules.isEmpty() || rules.size() > MAX_RULES) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        Set<String> ids = new HashSet<>();
        for (LifecycleRule rule : rules) {
            if (!ids.add(rule.id())) {
                throw S3Exception.invalidArgument(
                        "Rule ID must be unique. Found same ID for more than one rule",
                        "ID",
                        rule.id());
            }
        }
        return new LifecycleRules(rules, LifecycleWriter.document(document, rules));
    }

    @Override
    public byte[] document() {
        return document.clone();
    }

    List<LifecycleRule> enabled() {
        return rules.stream().filter(LifecycleRule::enabled).toList();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof LifecycleRules other && rules.equals(other.rules);
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }

    @Override
    public String toString() {
        return "LifecycleRules" + rules;
    }
}
