package io.dedupstore.server.policy;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** How a value of a condition is held against one of the request. */
enum Comparison {
    STRING,
    STRING_IGNORE_CASE,
    LIKE,
    NUMBER_EQUAL(sign -> sign == 0),
    NUMBER_LESS(sign -> sign < 0),
    NUMBER_LESS_EQUAL(sign -> sign <= 0),
    NUMBER_GREATER(sign -> sign > 0),
    NUMBER_GREATER_EQUAL(sign -> sign >= 0),
    DATE_EQUAL(sign -> sign == 0),
    DATE_LESS(sign -> sign < 0),
    DATE_LESS_EQUAL(sign -> sign <= 0),
    DATE_GREATER(sign -> sign > 0),
    DATE_GREATER_EQUAL(sign -> sign >= 0),
    BOOL,
    BINARY,
    IP,
    ARN;

    private static final int MAX_NUMBER_CHARS = 40;
    private static final int ARN_PARTS = 6;

    private final @Nullable IntPredicate sign;

    Comparison() {
        this.sign = null;
    }

    Comparison(IntPredicate sign) {
        this.sign = sign;
    }

    /** A value of a condition, read once. */
    interface Wanted {
        boolean fits(String given, Facts facts);
    }

    /**
     * @throws PolicyException the text can't be compared like this
     */
    Wanted wanted(String text, boolean variables) {
        PolicyPattern literal = PolicyPattern.literal(text, variables);
        return switch (this) {
            case STRING -> literal::matches;
            case STRING_IGNORE_CASE -> literal::matchesIgnoringCase;
            case LIKE -> PolicyPattern.of(text, variables)::matches;
            case NUMBER_EQUAL,
                    NUMBER_LESS,
                    NUMBER_LESS_EQUAL,
                    NUMBER_GREATER,
                    NUMBER_GREATER_EQUAL ->
                    ordered(Comparison::number, text);
            case DATE_EQUAL, DATE_LESS, DATE_LESS_EQUAL, DATE_GREATER, DATE_GREATER_EQUAL ->
                    ordered(Comparison::date, text);
            case BOOL -> bool(literal);
            case BINARY -> binary(text);
            case IP -> IpBlock.parse(text)::contains;
            case ARN -> arn(text, variables);
        };
    }

    private interface Reader<T> {
        Optional<T> read(String text);
    }

    private <T extends Comparable<? super T>> Wanted ordered(Reader<T> reader, String text) {
        T wanted = reader.read(text).orElseThrow(() -> invalid(text));
        IntPredicate holds = sign;
        if (holds == null) {
            throw new IllegalStateException(this + " has no order");
        }
        return (given, facts) ->
                reader.read(given).filter(value -> holds.test(value.compareTo(wanted))).isPresent();
    }

    private static Optional<BigDecimal> number(String text) {
        String digits = text.strip();
        // An exponent could ask for more digits than there is memory.
        if (digits.length() > MAX_NUMBER_CHARS || !digits.matches("[+-]?[0-9]*\\.?[0-9]+")) {
            return Optional.empty();
        }
        return Optional.of(new BigDecimal(digits));
    }

    static Optional<Instant> date(String text) {
        String stripped = text.strip();
        try {
            if (stripped.matches("-?[0-9]{1,18}")) {
                return Optional.of(Instant.ofEpochSecond(Long.parseLong(stripped)));
            }
            if (stripped.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
                return Optional.of(
                        LocalDate.parse(stripped).atStartOfDay().toInstant(ZoneOffset.UTC));
            }
            return Optional.of(OffsetDateTime.parse(stripped).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Wanted bool(PolicyPattern wanted) {
        String text = wanted.text().toLowerCase(Locale.ROOT);
        if (!wanted.hasVariable() && !text.equals("true") && !text.equals("false")) {
            throw invalid(wanted.text());
        }
        return wanted::matchesIgnoringCase;
    }

    private static Wanted binary(String text) {
        byte[] wanted = base64(text).orElseThrow(() -> invalid(text));
        return (given, facts) ->
                base64(given).filter(bytes -> Arrays.equals(bytes, wanted)).isPresent();
    }

    private static Optional<byte[]> base64(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Part by part: a wildcard does not reach over a colon. */
    private static Wanted arn(String text, boolean variables) {
        if (text.equals("*")) {
            return (given, facts) -> true;
        }
        List<PolicyPattern> parts =
                arnParts(text).stream().map(part -> PolicyPattern.of(part, variables)).toList();
        if (parts.size() != ARN_PARTS) {
            throw invalid(text);
        }
        return (given, facts) -> {
            List<String> pieces = arnParts(given);
            if (pieces.size() != ARN_PARTS) {
                return false;
            }
            for (int i = 0; i < ARN_PARTS; i++) {
                if (!parts.get(i).matches(pieces.get(i), facts)) {
                    return false;
                }
            }
            return true;
        };
    }

    /** The colons of variables part nothing. */
    private static List<String> arnParts(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        boolean inVariable = false;
        for (int i = 0; i < text.length() && parts.size() < ARN_PARTS - 1; i++) {
            char c = text.charAt(i);
            inVariable = inVariable ? c != '}' : text.startsWith("${", i);
            if (c == ':' && !inVariable) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static PolicyException invalid(String text) {
        return new PolicyException("Invalid condition value : " + text);
    }
}
