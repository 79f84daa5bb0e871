package io.dedupstore.server.policy;

import java.util.List;

/**
 * One key of a condition with the values it may have.
 *
 * @param key as in {@link Facts}
 * @param ifExists whether it holds for requests that do not have the key
 * @param texts the values as they were written
 */
record Condition(
        ConditionOperator operator,
        Qualifier qualifier,
        boolean ifExists,
        String key,
        List<String> texts,
        List<Comparison.Wanted> wanted) {
    Condition {
        texts = List.copyOf(texts);
        wanted = List.copyOf(wanted);
    }

    /**
     * @throws PolicyException a value can't be compared like this
     */
    static Condition of(
            ConditionOperator operator,
            Qualifier qualifier,
            boolean ifExists,
            String key,
            List<String> texts,
            boolean variables) {
        List<Comparison.Wanted> wanted =
                texts.stream().map(t -> operator.comparison().wanted(t, variables)).toList();
        return new Condition(operator, qualifier, ifExists, key, texts, wanted);
    }

    boolean holds(Facts facts) {
        List<String> given = facts.of(key);
        if (operator == ConditionOperator.NULL) {
            return fitsAny(Boolean.toString(given.isEmpty()), facts);
        }
        if (given.isEmpty()) {
            return switch (qualifier) {
                case NONE -> ifExists || operator.negated();
                case FOR_ALL_VALUES -> true;
                case FOR_ANY_VALUE -> ifExists;
            };
        }
        return switch (qualifier) {
            case NONE ->
                    operator.negated()
                            ? given.stream().allMatch(value -> holds(value, facts))
                            : given.stream().anyMatch(value -> holds(value, facts));
            case FOR_ALL_VALUES -> given.stream().allMatch(value -> holds(value, facts));
            case FOR_ANY_VALUE -> given.stream().anyMatch(value -> holds(value, facts));
        };
    }

    private boolean holds(String value, Facts facts) {
        return fitsAny(value, facts) != operator.negated();
    }

    private boolean fitsAny(String value, Facts facts) {
        for (Comparison.Wanted one : wanted) {
            if (one.fits(value, facts)) {
                return true;
            }
        }
        return false;
    }
}
