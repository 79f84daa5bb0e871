package io.dedupstore.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random policies against a second evaluator that shares nothing with the first: it works on the
 * random description, not on the document, and matches by regular expressions.
 */
class RandomPolicyTest {
    private static final int POLICIES = 1500;
    private static final int REQUESTS = 12;
    private static final List<String> ACCOUNTS = List.of("111111111111", "222222222222");
    private static final List<String> ACTIONS =
            List.of("s3:GetObject", "s3:PutObject", "s3:ListBucket", "s3:GetObjectAcl");
    private static final List<String> ACTION_PATTERNS =
            List.of("s3:GetObject", "s3:Get*", "s3:*", "s3:putobject", "s3:?etObject", "s3:List*");
    private static final List<String> RESOURCES =
            List.of(
                    "arn:aws:s3:::b",
                    "arn:aws:s3:::b/a/k",
                    "arn:aws:s3:::b/ann/k",
                    "arn:aws:s3:::b/*");
    private static final List<String> RESOURCE_PATTERNS =
            List.of(
                    "arn:aws:s3:::b",
                    "arn:aws:s3:::b/*",
                    "arn:aws:s3:::b/?/k",
                    "arn:aws:s3:::b/${aws:username}/*",
                    "arn:aws:s3:::*");
    private static final List<String> OPERATORS =
            List.of(
                    "StringEquals",
                    "StringNotEquals",
                    "StringLike",
                    "StringNotLike",
                    "StringEqualsIgnoreCase",
                    "NumericLessThan",
                    "NumericGreaterThanEquals",
                    "Null",
                    "Bool",
                    "IpAddress",
                    "NotIpAddress");

    private record Claim(String operator, String prefix, boolean ifExists, List<String> values) {}

    private record Said(
            boolean allow,
            List<String> principals,
            boolean notPrincipal,
            List<String> actions,
            boolean notAction,
            List<String> resources,
            boolean notResource,
            List<Claim> claims) {}

    private record Who(String account, String user) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 20261121})
    void bothEvaluatorsAgree(long seed) {
        Random random = new Random(seed);
        int decided = 0;
        for (int i = 0; i < POLICIES; i++) {
            List<Said> said = new ArrayList<>();
            for (int s = random.nextInt(3); s >= 0; s--) {
                said.add(statement(random));
            }
            Policy policy = Policy.ofResource(document(said));
            for (int r = 0; r < REQUESTS; r++) {
                Who who = who(random);
                String action = pick(random, ACTIONS);
                String resource = pick(random, RESOURCES);
                Map<String, List<String>> facts = facts(random, who);
                Verdict verdict =
                        policy.decide(
                                caller(who),
                                action,
                                resource,
                                key -> facts.getOrDefault(key, List.of()));
                Verdict expected = expected(said, who, action, resource, facts);
                assertThat(verdict)
                        .as(
                                "seed %d, %s: %s %s %s %s",
                                seed, document(said), who, action, resource, facts)
                        .isEqualTo(expected);
                decided += verdict == Verdict.NOTHING ? 0 : 1;
            }
        }
        // Else nothing was tested.
        assertThat(decided).isGreaterThan(POLICIES);
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static Said statement(Random random) {
        List<Claim> claims = new ArrayList<>();
        for (int c = random.nextInt(3); c > 0; c--) {
            claims.add(claim(random));
        }
        List<String> principals =
                List.of("*", ACCOUNTS.get(0), ACCOUNTS.get(1), ACCOUNTS.get(0) + "/ann");
        return new Said(
                random.nextInt(3) > 0,
                List.of(pick(random, principals)),
                random.nextInt(6) == 0,
                List.of(pick(random, ACTION_PATTERNS), pick(random, ACTION_PATTERNS)),
                random.nextInt(5) == 0,
                List.of(pick(random, RESOURCE_PATTERNS)),
                random.nextInt(5) == 0,
                claims);
    }

    private static Claim claim(Random random) {
        String operator = pick(random, OPERATORS);
        List<String> values =
                switch (operator) {
                    case "Null", "Bool" -> List.of(pick(random, List.of("true", "false")));
                    case "NumericLessThan", "NumericGreaterThanEquals" ->
                            List.of(Integer.toString(random.nextInt(4)));
                    case "IpAddress", "NotIpAddress" ->
                            List.of(pick(random, List.of("10.0.0.0/8", "10.0.0.1", "0.0.0.0/0")));
                    default ->
                            List.of(
                                    pick(random, List.of("a", "A", "a*", "?")),
                                    pick(random, List.of("b", "bb", "true", "${aws:username}")));
                };
        String prefix =
                operator.equals("Null")
                        ? ""
                        : pick(random, List.of("", "", "ForAllValues:", "ForAnyValue:"));
        boolean ifExists = !operator.equals("Null") && random.nextInt(4) == 0;
        return new Claim(operator, prefix, ifExists, values);
    }

    private static Who who(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new Who("", "");
            case 1 -> new Who(ACCOUNTS.get(0), "root");
            case 2 -> new Who(ACCOUNTS.get(0), "ann");
            default -> new Who(ACCOUNTS.get(1), pick(random, List.of("root", "bob")));
        };
    }

    private static Map<String, List<String>> facts(Random random, Who who) {
        Map<String, List<String>> facts = new HashMap<>();
        int count = random.nextInt(3);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(pick(random, List.of("a", "b", "ab", "1", "3", "true", "10.0.0.1", "ann")));
        }
        facts.put("aws:test", values);
        if (!who.user().isEmpty() && !who.user().equals("root")) {
            facts.put("aws:username", List.of(who.user()));
        }
        return facts;
    }

    private static Caller caller(Who who) {
        if (who.account().isEmpty()) {
            return Caller.ANONYMOUS;
        }
        String arn =
                who.user().equals("root")
                        ? "arn:aws:iam::" + who.account() + ":root"
                        : "arn:aws:iam::" + who.account() + ":user/" + who.user();
        return new Caller(who.account(), "c" + who.account(), List.of(arn));
    }

    // ---- the document ----

    private static String document(List<Said> said) {
        return "{\"Version\":\"2012-10-17\",\"Statement\":["
                + said.stream().map(RandomPolicyTest::text).collect(Collectors.joining(","))
                + "]}";
    }

    private static String text(Said said) {
        String principals =
                said.principals().get(0).equals("*")
                        ? "\"*\""
                        : "{\"AWS\":"
                                + array(
                                        said.principals().stream()
                                                .map(RandomPolicyTest::principal)
                                                .toList())
                                + "}";
        StringBuilder text = new StringBuilder("{\"Effect\":\"");
        text.append(said.allow() ? "Allow" : "Deny")
                .append("\",\"")
                .append(said.notPrincipal() ? "NotPrincipal" : "Principal")
                .append("\":")
                .append(principals)
                .append(said.notAction() ? ",\"NotAction\":" : ",\"Action\":")
                .append(array(said.actions()))
                .append(said.notResource() ? ",\"NotResource\":" : ",\"Resource\":")
                .append(array(said.resources()))
                .append(",\"Condition\":{");
        Map<String, Claim> byOperator = new HashMap<>();
        said.claims().forEach(claim -> byOperator.put(name(claim), claim));
        text.append(
                byOperator.entrySet().stream()
                        .map(
                                entry ->
                                        "\"%s\":{\"aws:test\":%s}"
                                                .formatted(
                                                        entry.getKey(),
                                                        array(entry.getValue().values())))
                        .collect(Collectors.joining(",")));
        return text.append("}}").toString();
    }

    private static String name(Claim claim) {
        return claim.prefix() + claim.operator() + (claim.ifExists() ? "IfExists" : "");
    }

    private static String principal(String written) {
        int slash = written.indexOf('/');
        return slash < 0
                ? written
                : "arn:aws:iam::%s:user/%s"
                        .formatted(written.substring(0, slash), written.substring(slash + 1));
    }

    private static String array(List<String> texts) {
        return texts.stream().map(t -> "\"" + t + "\"").collect(Collectors.joining(",", "[", "]"));
    }

    // ---- the other evaluator ----

    private static Verdict expected(
            List<Said> said,
            Who who,
            String action,
            String resource,
            Map<String, List<String>> facts) {
        boolean self = false;
        boolean account = false;
        for (Said one : said) {
            int principal = principal(one, who);
            boolean about =
                    principal > 0
                            && one.actions().stream().anyMatch(p -> like(p, action, true, facts))
                                    != one.notAction()
                            && one.resources().stream()
                                            .anyMatch(p -> like(p, resource, false, facts))
                                    != one.notResource();
            Map<String, Claim> claims = new HashMap<>();
            one.claims().forEach(claim -> claims.put(name(claim), claim));
            if (about && claims.values().stream().allMatch(claim -> holds(claim, facts))) {
                if (!one.allow()) {
                    return Verdict.DENY;
                }
                self |= principal == 2;
                account |= principal == 1;
            }
        }
        return self ? Verdict.ALLOW : account ? Verdict.ALLOW_ACCOUNT : Verdict.NOTHING;
    }

    /** 2 for the caller itself, 1 for its account, 0 for somebody else. */
    private static int principal(Said said, Who who) {
        int best = 0;
        for (String written : said.principals()) {
            if (written.equals("*") || written.equals(who.account() + "/" + who.user())) {
                best = 2;
            } else if (written.equals(who.account())) {
                best = Math.max(best, who.user().equals("root") ? 2 : 1);
            }
        }
        return said.notPrincipal() ? (best == 0 ? 2 : 0) : best;
    }

    private static boolean like(
            String pattern, String value, boolean ignoreCase, Map<String, List<String>> facts) {
        StringBuilder regex = new StringBuilder();
        String rest = pattern;
        while (!rest.isEmpty()) {
            if (rest.startsWith("${aws:username}")) {
                List<String> names = facts.getOrDefault("aws:username", List.of());
                if (names.isEmpty()) {
                    return false;
                }
                regex.append(Pattern.quote(names.get(0)));
                rest = rest.substring("${aws:username}".length());
            } else {
                char c = rest.charAt(0);
                regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote("" + c));
                rest = rest.substring(1);
            }
        }
        int flags = Pattern.DOTALL | (ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
        return Pattern.compile(regex.toString(), flags).matcher(value).matches();
    }

    private static boolean holds(Claim claim, Map<String, List<String>> facts) {
        List<String> given = facts.getOrDefault("aws:test", List.of());
        if (claim.operator().equals("Null")) {
            return claim.values().contains(given.isEmpty() ? "true" : "false");
        }
        boolean not = claim.operator().contains("Not");
        if (given.isEmpty()) {
            if (claim.prefix().equals("ForAllValues:")) {
                return true;
            }
            return claim.ifExists() || (claim.prefix().isEmpty() && not);
        }
        long fitting = given.stream().filter(value -> fits(claim, value, facts)).count();
        return switch (claim.prefix()) {
            case "ForAllValues:" -> not ? fitting == 0 : fitting == given.size();
            case "ForAnyValue:" -> not ? fitting < given.size() : fitting > 0;
            default -> not ? fitting == 0 : fitting > 0;
        };
    }

    private static boolean fits(Claim claim, String value, Map<String, List<String>> facts) {
        return claim.values().stream()
                .anyMatch(wanted -> fits(claim.operator(), wanted, value, facts));
    }

    private static boolean fits(
            String operator, String wanted, String value, Map<String, List<String>> facts) {
        String filled = wanted;
        if (wanted.equals("${aws:username}")) {
            List<String> names = facts.getOrDefault("aws:username", List.of());
            if (names.isEmpty()) {
                return false;
            }
            filled = names.get(0);
        }
        return switch (operator) {
            case "StringEquals", "StringNotEquals" -> filled.equals(value);
            case "StringEqualsIgnoreCase", "Bool" -> filled.equalsIgnoreCase(value);
            case "StringLike", "StringNotLike" -> like(wanted, value, false, facts);
            case "NumericLessThan" ->
                    value.matches("[0-9]+") && Integer.parseInt(value) < Integer.parseInt(wanted);
            case "NumericGreaterThanEquals" ->
                    value.matches("[0-9]+") && Integer.parseInt(value) >= Integer.parseInt(wanted);
            case "IpAddress", "NotIpAddress" -> value.equals("10.0.0.1");
            default -> throw new IllegalStateException(operator);
        };
    }
}
