package io.dedupstore.server.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads documents of the policy language: bounded in size and depth, unknown fields refused. */
final class PolicyParser {
    /** Documents of identities are checked by their own, smaller limits. */
    private static final int MAX_CHARS = 128 << 10;

    private static final int MAX_DEPTH = 12;
    private static final String WITH_VARIABLES = "2012-10-17";
    private static final String WITHOUT_VARIABLES = "2008-10-17";
    private static final Set<String> OF_POLICY = Set.of("Version", "Id", "Statement");
    private static final Set<String> OF_STATEMENT =
            Set.of(
                    "Sid",
                    "Effect",
                    "Principal",
                    "NotPrincipal",
                    "Action",
                    "NotAction",
                    "Resource",
                    "NotResource",
                    "Condition");
    private static final Pattern ARN =
            Pattern.compile("arn:[a-z-]+:(iam|sts)::([A-Za-z0-9._-]*):(.+)");
    private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");
    private static final Pattern RESOURCE = Pattern.compile("arn:([a-z-]+):s3:\\*?:\\*?:(.*)");
    private static final String IF_EXISTS = "IfExists";
    private static final Map<String, Qualifier> QUALIFIERS =
            Map.of(
                    "ForAllValues:",
                    Qualifier.FOR_ALL_VALUES,
                    "ForAnyValue:",
                    Qualifier.FOR_ANY_VALUE);

    private static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .maxNumberLength(40)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** What a policy is of. */
    enum Kind {
        IDENTITY,
        RESOURCE,
        TRUST
    }

    private final Kind kind;
    private final boolean variables;

    private PolicyParser(Kind kind, boolean variables) {
        this.kind = kind;
        this.variables = variables;
    }

    static Policy parse(String document, Kind kind) {
        if (document.length() > MAX_CHARS) {
            throw new PolicyException("Policy exceeds the maximum allowed document size.");
        }
        if (!document.startsWith("{")) {
            throw new PolicyException("Policies must be valid JSON and the first byte must be '{'");
        }
        JsonNode root = read(document);
        checkFields(root, OF_POLICY);
        String version = root.has("Version") ? text(root.get("Version")) : WITHOUT_VARIABLES;
        if (!version.equals(WITH_VARIABLES) && !version.equals(WITHOUT_VARIABLES)) {
            throw new PolicyException("The policy must contain a valid version string");
        }
        if (root.has("Id")) {
            text(root.get("Id"));
        }
        JsonNode statements = root.get("Statement");
        if (statements == null) {
            throw new PolicyException("Missing required field Statement");
        }
        PolicyParser parser = new PolicyParser(kind, version.equals(WITH_VARIABLES));
        List<Statement> parsed = new ArrayList<>();
        Set<String> sids = new HashSet<>();
        for (JsonNode statement : statements.isArray() ? statements : List.of(statements)) {
            Statement one = parser.statement(statement);
            if (!one.sid().isEmpty() && !sids.add(one.sid())) {
                throw new PolicyException("Statement IDs (SID) in a single policy must be unique.");
            }
            parsed.add(one);
        }
        if (parsed.isEmpty()) {
            throw new PolicyException("Could not parse the policy: Statement is empty!");
        }
        return new Policy(parsed);
    }

    private static JsonNode read(String document) {
        try {
            JsonNode root = JSON.readTree(document);
            if (!root.isObject()) {
                throw new PolicyException("This policy contains invalid Json");
            }
            return root;
        } catch (JsonProcessingException e) {
            throw new PolicyException("This policy contains invalid Json", e);
        }
    }

    private static void checkFields(JsonNode object, Set<String> known) {
        if (!object.isObject()) {
            throw new PolicyException("Policy has invalid syntax");
        }
        object.fieldNames()
                .forEachRemaining(
                        name -> {
                            if (!known.contains(name)) {
                                throw new PolicyException("Unknown field " + name);
                            }
                        });
    }

    private Statement statement(JsonNode node) {
        checkFields(node, OF_STATEMENT);
        boolean exceptPrincipals = one(node, "Principal", "NotPrincipal", kind != Kind.IDENTITY);
        boolean exceptActions = one(node, "Action", "NotAction", true);
        boolean exceptResources = one(node, "Resource", "NotResource", kind != Kind.TRUST);
        if (kind == Kind.IDENTITY && (node.has("Principal") || node.has("NotPrincipal"))) {
            throw new PolicyException("Policy document should not specify a principal.");
        }
        if (kind == Kind.TRUST && (node.has("Resource") || node.has("NotResource"))) {
            throw new PolicyException("Has prohibited field Resource");
        }
        Optional<PrincipalSet> principals =
                Optional.ofNullable(node.get(exceptPrincipals ? "NotPrincipal" : "Principal"))
                        .map(PolicyParser::principals);
        return new Statement(
                node.has("Sid") ? text(node.get("Sid")) : "",
                effect(node.get("Effect")),
                principals,
                exceptPrincipals,
                actions(node.get(exceptActions ? "NotAction" : "Action")),
                exceptActions,
                resources(node.get(exceptResources ? "NotResource" : "Resource")),
                exceptResources,
                conditions(node.get("Condition")));
    }

    /** Whether the second of two fields that exclude each other is there. */
    private static boolean one(JsonNode node, String name, String except, boolean required) {
        if (node.has(name) && node.has(except)) {
            throw new PolicyException(
                    "Policy statement must not contain both " + name + " and " + except);
        }
        if (required && !node.has(name) && !node.has(except)) {
            throw new PolicyException("Missing required field " + name);
        }
        return node.has(except);
    }

    private static Effect effect(@Nullable JsonNode node) {
        if (node == null) {
            throw new PolicyException("Missing required field Effect");
        }
        String effect = text(node);
        return switch (effect) {
            case "Allow" -> Effect.ALLOW;
            case "Deny" -> Effect.DENY;
            default -> throw new PolicyException("Invalid effect: " + effect);
        };
    }

    private static PrincipalSet principals(JsonNode node) {
        if (node.isTextual()) {
            if (!node.textValue().equals("*")) {
                throw invalidPrincipal();
            }
            return new PrincipalSet(true, List.of(), List.of(), List.of());
        }
        if (!node.isObject() || node.isEmpty()) {
            throw invalidPrincipal();
        }
        boolean everybody = false;
        List<String> accounts = new ArrayList<>();
        List<String> canonicalIds = new ArrayList<>();
        List<String> arns = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            List<String> values = texts(entry.getValue());
            if (values.isEmpty()) {
                throw invalidPrincipal();
            }
            switch (entry.getKey()) {
                case "AWS" -> {
                    for (String value : values) {
                        if (value.equals("*")) {
                            everybody = true;
                        } else {
                            addPrincipal(value, accounts, arns);
                        }
                    }
                }
                case "CanonicalUser" -> canonicalIds.addAll(values);
                // Nobody comes as one of these here.
                case "Service", "Federated" -> everybody |= values.contains("*");
                default -> throw invalidPrincipal();
            }
        }
        return new PrincipalSet(everybody, accounts, canonicalIds, arns);
    }

    private static void addPrincipal(String value, List<String> accounts, List<String> arns) {
        if (ACCOUNT.matcher(value).matches()) {
            accounts.add(value);
            return;
        }
        Matcher arn = ARN.matcher(value);
        if (!arn.matches() || value.contains("*") || value.contains("?")) {
            throw invalidPrincipal();
        }
        String resource = arn.group(3);
        if (resource.equals("root")) {
            accounts.add(arn.group(2));
        } else if (resource.matches("(user|role|assumed-role|federated-user)/.+")) {
            arns.add(value);
        } else {
            throw invalidPrincipal();
        }
    }

    static String accountOfArn(String arn) {
        Matcher matcher = ARN.matcher(arn);
        return matcher.matches() ? matcher.group(2) : "";
    }

    private static PolicyException invalidPrincipal() {
        return new PolicyException("Invalid principal in policy");
    }

    private static List<PolicyPattern> actions(JsonNode node) {
        List<String> actions = texts(node);
        if (actions.isEmpty() || actions.stream().anyMatch(String::isEmpty)) {
            throw new PolicyException("Missing required field Action");
        }
        if (!actions.stream().allMatch(a -> a.equals("*") || a.indexOf(':') > 0)) {
            throw new PolicyException("Policy has invalid action");
        }
        return actions.stream().map(action -> PolicyPattern.of(action, false)).toList();
    }

    private List<PolicyPattern> resources(@Nullable JsonNode node) {
        if (node == null) {
            return List.of();
        }
        List<String> resources = texts(node);
        if (resources.isEmpty()) {
            throw new PolicyException("Missing required field Resource");
        }
        return resources.stream().map(this::resource).toList();
    }

    /** Buckets have names without region and account; these may be left out as stars too. */
    private PolicyPattern resource(String text) {
        Matcher matcher = RESOURCE.matcher(text);
        if (matcher.matches()) {
            return PolicyPattern.of(
                    "arn:" + matcher.group(1) + ":s3:::" + matcher.group(2), variables);
        }
        boolean elsewhere = text.equals("*") || text.startsWith("arn:");
        if (!elsewhere || kind == Kind.RESOURCE) {
            throw new PolicyException("Policy has invalid resource");
        }
        return PolicyPattern.of(text, variables);
    }

    private List<Condition> conditions(@Nullable JsonNode node) {
        if (node == null) {
            return List.of();
        }
        if (!node.isObject()) {
            throw new PolicyException("Policy has invalid syntax");
        }
        List<Condition> conditions = new ArrayList<>();
        for (Map.Entry<String, JsonNode> operator : node.properties()) {
            if (!operator.getValue().isObject()) {
                throw new PolicyException("Policy has invalid syntax");
            }
            for (Map.Entry<String, JsonNode> key : operator.getValue().properties()) {
                conditions.add(condition(operator.getKey(), key.getKey(), key.getValue()));
            }
        }
        return conditions;
    }

    private Condition condition(String written, String key, JsonNode values) {
        Qualifier qualifier = Qualifier.NONE;
        String name = written;
        for (Map.Entry<String, Qualifier> entry : QUALIFIERS.entrySet()) {
            if (name.startsWith(entry.getKey())) {
                qualifier = entry.getValue();
                name = name.substring(entry.getKey().length());
            }
        }
        boolean ifExists = name.endsWith(IF_EXISTS) && !name.equals("Null" + IF_EXISTS);
        if (ifExists) {
            name = name.substring(0, name.length() - IF_EXISTS.length());
        }
        ConditionOperator operator =
                ConditionOperator.ofName(name)
                        .orElseThrow(
                                () -> new PolicyException("Invalid Condition type : " + written));
        if (key.indexOf(':') <= 0) {
            throw new PolicyException("Policy has an invalid condition key");
        }
        return Condition.of(
                operator,
                qualifier,
                ifExists,
                PolicyPattern.keyName(key),
                texts(values),
                variables);
    }

    /** A text, or an array of such; numbers and truth values count as their text. */
    private static List<String> texts(JsonNode node) {
        if (!node.isArray()) {
            return List.of(text(node));
        }
        List<String> texts = new ArrayList<>();
        node.forEach(element -> texts.add(text(element)));
        return texts;
    }

    private static String text(JsonNode node) {
        if (!node.isTextual() && !node.isNumber() && !node.isBoolean()) {
            throw new PolicyException("Policy has invalid syntax");
        }
        return node.asText();
    }
}
