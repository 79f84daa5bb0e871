package io.dedupstore.server.s3;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the signer of a form allows to be uploaded with it: until when, which fields, how many
 * bytes. Names of fields and operators are compared without regard to case, values with it.
 *
 * @param minBytes of the file
 * @param maxBytes of the file
 */
record PostPolicy(Instant expiration, List<Condition> conditions, long minBytes, long maxBytes) {
    private static final int MAX_DEPTH = 8;
    private static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .build())
                                    .build())
                    // A dollar sign may be written with a backslash, which is no JSON.
                    .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** Fields that no condition needs to mention. */
    private static final Set<String> FREE =
            Set.of("policy", "signature", "awsaccesskeyid", "x-amz-signature", "file");

    private static final String IGNORED_PREFIX = "x-ignore-";

    PostPolicy {
        conditions = List.copyOf(conditions);
    }

    /** What a field's value must be, or begin with. */
    record Condition(String field, boolean prefix, String value, String text) {
        boolean allows(String given) {
            if (!prefix) {
                return given.equals(value);
            }
            // A list of types must be allowed type by type.
            return field.equals("content-type") && given.contains(",") && !value.isEmpty()
                    ? Arrays.stream(given.split(","))
                            .allMatch(type -> type.strip().startsWith(value))
                    : given.startsWith(value);
        }
    }

    /**
     * @param base64 as it stands in the form
     * @throws S3Exception InvalidPolicyDocument
     */
    static PostPolicy parse(String base64) {
        JsonNode root = json(base64);
        Set<String> names = new HashSet<>();
        root.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (!name.equals("expiration") && !name.equals("conditions")) {
                throw invalid("Unexpected: '" + name + "'");
            }
        }
        if (!root.has("expiration")) {
            throw invalid("Policy missing expiration.");
        }
        if (!root.has("conditions")) {
            throw invalid("Policy missing conditions.");
        }
        Builder builder = new Builder();
        if (!root.get("conditions").isArray()) {
            throw invalid("Invalid 'conditions' value: must be a List.");
        }
        root.get("conditions").forEach(builder::add);
        return new PostPolicy(
                expiration(root.get("expiration")),
                builder.conditions,
                builder.minBytes,
                builder.maxBytes);
    }

    /**
     * Whether the fields are what was allowed, all of them, and nothing but them.
     *
     * @param fields by name in lower case; {@code bucket} among them
     * @throws S3Exception AccessDenied
     */
    void check(Map<String, String> fields, Instant now) {
        if (!now.isBefore(expiration)) {
            throw denied("Policy expired.");
        }
        Set<String> covered = new HashSet<>();
        for (Condition condition : conditions) {
            String given = fields.get(condition.field());
            if (given == null || !condition.allows(given)) {
                throw denied("Policy Condition failed: " + condition.text());
            }
            covered.add(condition.field());
        }
        List<String> extra =
                fields.keySet().stream()
                        .filter(name -> !covered.contains(name) && !FREE.contains(name))
                        .filter(name -> !name.startsWith(IGNORED_PREFIX))
                        .sorted()
                        .toList();
        if (!extra.isEmpty()) {
            throw denied("Extra input fields: " + String.join(", ", extra));
        }
    }

    private static JsonNode json(String base64) {
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(base64);
            JsonNode root = JSON.readTree(UriText.strictUtf8(bytes));
            if (root != null && root.isObject()) {
                return root;
            }
        } catch (JsonProcessingException | IllegalArgumentException e) {
            // refused below
        }
        throw invalid("Invalid JSON.");
    }

    private static Instant expiration(JsonNode node) {
        try {
            return DateTimeFormatter.ISO_INSTANT.parse(node.asText(), Instant::from);
        } catch (DateTimeException e) {
            throw invalid("Invalid 'expiration' value: '" + node.asText() + "'");
        }
    }

    private static S3Exception invalid(String what) {
        return new S3Exception(S3Error.INVALID_POLICY_DOCUMENT, "Invalid Policy: " + what);
    }

    private static S3Exception denied(String what) {
        return new S3Exception(S3Error.ACCESS_DENIED, "Invalid according to Policy: " + what);
    }

    /** Collects conditions. */
    private static final class Builder {
        private final List<Condition> conditions = new ArrayList<>();
        private long minBytes;
        private long maxBytes = Long.MAX_VALUE;

        void add(JsonNode node) {
            if (node.isObject()) {
                addExact(node);
            } else if (node.isArray() && node.size() > 0) {
                addOperator(node);
            } else {
                throw invalid("Invalid Condition: must be a List or an Object.");
            }
        }

        private void addExact(JsonNode node) {
            if (node.size() != 1) {
                throw invalid(
                        "Invalid Simple-Condition: Simple-Conditions must have exactly one"
                                + " property specified.");
            }
            Map.Entry<String, JsonNode> entry = node.properties().iterator().next();
            if (!entry.getValue().isValueNode() || entry.getValue().isNull()) {
                throw invalid("Invalid Simple-Condition: value must be a string.");
            }
            String value = entry.getValue().asText();
            String text = "[\"eq\", \"$" + entry.getKey() + "\", \"" + value + "\"]";
            conditions.add(new Condition(lower(entry.getKey()), false, value, text));
        }

        private void addOperator(JsonNode node) {
            String operator = lower(node.get(0).asText());
            switch (operator) {
                case "eq", "starts-with" -> addMatch(node, operator.equals("starts-with"));
                case "content-length-range" -> addRange(node);
                default ->
                        throw invalid("Invalid Condition: unknown operation '" + operator + "'.");
            }
        }

        private void addMatch(JsonNode node, boolean prefix) {
            if (node.size() != 3 || !node.get(1).isTextual() || !node.get(2).isValueNode()) {
                throw invalid("Invalid Condition: wrong number of arguments.");
            }
            String field = node.get(1).asText();
            if (!field.startsWith("$")) {
                throw invalid("Invalid Condition: field must start with '$'.");
            }
            conditions.add(
                    new Condition(
                            lower(field.substring(1)),
                            prefix,
                            node.get(2).asText(),
                            node.toString().replace("\",\"", "\", \"")));
        }

        private void addRange(JsonNode node) {
            if (node.size() != 3) {
                throw invalid("Invalid content-length-range: wrong number of arguments.");
            }
            minBytes = Math.max(minBytes, length(node.get(1)));
            maxBytes = Math.min(maxBytes, length(node.get(2)));
        }

        private static long length(JsonNode node) {
            try {
                long value =
                        node.isNumber() && !node.isIntegralNumber()
                                ? -1
                                : Long.parseLong(node.asText().strip());
                if (value >= 0) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // refused below, as a negative one is
            }
            throw invalid("Invalid content-length-range: '" + node.asText() + "'");
        }

        private static String lower(String text) {
            return text.toLowerCase(Locale.ROOT);
        }
    }
}
