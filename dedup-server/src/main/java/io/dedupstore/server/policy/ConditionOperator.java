package io.dedupstore.server.policy;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The comparisons of the policy language. */
enum ConditionOperator {
    STRING_EQUALS("StringEquals", Comparison.STRING, false),
    STRING_NOT_EQUALS("StringNotEquals", Comparison.STRING, true),
    STRING_EQUALS_IGNORE_CASE("StringEqualsIgnoreCase", Comparison.STRING_IGNORE_CASE, false),
    STRING_NOT_EQUALS_IGNORE_CASE("StringNotEqualsIgnoreCase", Comparison.STRING_IGNORE_CASE, true),
    STRING_LIKE("StringLike", Comparison.LIKE, false),
    STRING_NOT_LIKE("StringNotLike", Comparison.LIKE, true),
    NUMERIC_EQUALS("NumericEquals", Comparison.NUMBER_EQUAL, false),
    NUMERIC_NOT_EQUALS("NumericNotEquals", Comparison.NUMBER_EQUAL, true),
    NUMERIC_LESS_THAN("NumericLessThan", Comparison.NUMBER_LESS, false),
    NUMERIC_LESS_THAN_EQUALS("NumericLessThanEquals", Comparison.NUMBER_LESS_EQUAL, false),
    NUMERIC_GREATER_THAN("NumericGreaterThan", Comparison.NUMBER_GREATER, false),
    NUMERIC_GREATER_THAN_EQUALS("NumericGreaterThanEquals", Comparison.NUMBER_GREATER_EQUAL, false),
    DATE_EQUALS("DateEquals", Comparison.DATE_EQUAL, false),
    DATE_NOT_EQUALS("DateNotEquals", Comparison.DATE_EQUAL, true),
    DATE_LESS_THAN("DateLessThan", Comparison.DATE_LESS, false),
    DATE_LESS_THAN_EQUALS("DateLessThanEquals", Comparison.DATE_LESS_EQUAL, false),
    DATE_GREATER_THAN("DateGreaterThan", Comparison.DATE_GREATER, false),
    DATE_GREATER_THAN_EQUALS("DateGreaterThanEquals", Comparison.DATE_GREATER_EQUAL, false),
    BOOL("Bool", Comparison.BOOL, false),
    BINARY_EQUALS("BinaryEquals", Comparison.BINARY, false),
    IP_ADDRESS("IpAddress", Comparison.IP, false),
    NOT_IP_ADDRESS("NotIpAddress", Comparison.IP, true),
    ARN_EQUALS("ArnEquals", Comparison.ARN, false),
    ARN_LIKE("ArnLike", Comparison.ARN, false),
    ARN_NOT_EQUALS("ArnNotEquals", Comparison.ARN, true),
    ARN_NOT_LIKE("ArnNotLike", Comparison.ARN, true),
    NULL("Null", Comparison.BOOL, false);

    private static final Map<String, ConditionOperator> BY_NAME =
            Arrays.stream(values())
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    operator -> operator.text, Function.identity()));

    private final String text;
    private final Comparison comparison;
    private final boolean negated;

    ConditionOperator(String text, Comparison comparison, boolean negated) {
        this.text = text;
        this.comparison = comparison;
        this.negated = negated;
    }

    static Optional<ConditionOperator> ofName(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    Comparison comparison() {
        return comparison;
    }

    /** Whether it holds where the comparison does not. */
    boolean negated() {
        return negated;
    }
}
