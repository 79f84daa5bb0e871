package io.dedupstore.server.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Text with the wildcards {@code *} and {@code ?} and with variables such as {@code
 * ${aws:username}}, which stand for a fact of the request and are never wildcards themselves.
 */
final class PolicyPattern {
    private static final int ANY = -1;
    private static final int ONE = -2;

    /** A run of symbols, or a variable. */
    private sealed interface Piece {
        record Symbols(int[] symbols) implements Piece {}

        record Variable(String key, Optional<String> otherwise) implements Piece {}
    }

    private final String text;
    private final List<Piece> pieces;

    private PolicyPattern(String text, List<Piece> pieces) {
        this.text = text;
        this.pieces = List.copyOf(pieces);
    }

    /**
     * @param variables whether the language version of the document has them
     */
    static PolicyPattern of(String text, boolean variables) {
        return parse(text, variables, true);
    }

    /** Where wildcards are characters like others. */
    static PolicyPattern literal(String text, boolean variables) {
        return parse(text, variables, false);
    }

    private static PolicyPattern parse(String text, boolean variables, boolean wildcards) {
        List<Piece> pieces = new ArrayList<>();
        List<Integer> run = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = variables && text.startsWith("${", at) ? text.indexOf('}', at) : -1;
            if (end > 0) {
                String inside = text.substring(at + 2, end);
                if (inside.length() == 1 && "*?$".contains(inside)) {
                    run.add((int) inside.charAt(0));
                } else {
                    flush(run, pieces);
                    pieces.add(variable(inside));
                }
                at = end + 1;
            } else {
                run.add(wildcards && c == '*' ? ANY : wildcards && c == '?' ? ONE : (int) c);
                at++;
            }
        }
        flush(run, pieces);
        return new PolicyPattern(text, pieces);
    }

    private static void flush(List<Integer> run, List<Piece> pieces) {
        if (!run.isEmpty()) {
            pieces.add(new Piece.Symbols(run.stream().mapToInt(Integer::intValue).toArray()));
            run.clear();
        }
    }

    private static Piece variable(String inside) {
        int comma = inside.indexOf(',');
        if (comma < 0) {
            return new Piece.Variable(keyName(inside.strip()), Optional.empty());
        }
        String otherwise = inside.substring(comma + 1).strip();
        boolean quoted =
                otherwise.length() >= 2 && otherwise.startsWith("'") && otherwise.endsWith("'");
        return new Piece.Variable(
                keyName(inside.substring(0, comma).strip()),
                Optional.of(quoted ? otherwise.substring(1, otherwise.length() - 1) : otherwise));
    }

    /** Condition keys have no case, but for the names of tags. */
    static String keyName(String key) {
        int slash = key.indexOf('/');
        return slash < 0
                ? key.toLowerCase(Locale.ROOT)
                : key.substring(0, slash).toLowerCase(Locale.ROOT) + key.substring(slash);
    }

    String text() {
        return text;
    }

    boolean hasVariable() {
        return pieces.stream().anyMatch(Piece.Variable.class::isInstance);
    }

    /** Whether it fits one text only. */
    boolean fixed() {
        return pieces.stream()
                .allMatch(
                        piece ->
                                piece instanceof Piece.Symbols(int[] symbols)
                                        && noWildcard(symbols));
    }

    private static boolean noWildcard(int[] symbols) {
        for (int symbol : symbols) {
            if (symbol < 0) {
                return false;
            }
        }
        return true;
    }

    /** A variable that the request has no value for makes the pattern fit nothing. */
    boolean matches(String value, Facts facts) {
        return glob(value, facts, false);
    }

    boolean matchesIgnoringCase(String value, Facts facts) {
        return glob(value, facts, true);
    }

    private boolean glob(String value, Facts facts, boolean ignoreCase) {
        Optional<int[]> symbols = resolve(facts);
        return symbols.isPresent() && glob(symbols.get(), value, ignoreCase);
    }

    /** The pattern with its variables filled in. */
    private Optional<int[]> resolve(Facts facts) {
        if (pieces.size() == 1 && pieces.getFirst() instanceof Piece.Symbols(int[] symbols)) {
            return Optional.of(symbols);
        }
        List<int[]> runs = new ArrayList<>();
        for (Piece piece : pieces) {
            switch (piece) {
                case Piece.Symbols(int[] symbols) -> runs.add(symbols);
                case Piece.Variable(String key, Optional<String> otherwise) -> {
                    List<String> values = facts.of(key);
                    Optional<String> filled =
                            values.size() == 1 ? Optional.of(values.getFirst()) : otherwise;
                    if (filled.isEmpty()) {
                        return Optional.empty();
                    }
                    runs.add(filled.get().chars().toArray());
                }
            }
        }
        return Optional.of(runs.stream().flatMapToInt(Arrays::stream).toArray());
    }

    /** Going back to the last star only, so the time is at most the product of the lengths. */
    private static boolean glob(int[] pattern, String value, boolean ignoreCase) {
        int p = 0;
        int v = 0;
        int star = -1;
        int mark = 0;
        while (v < value.length()) {
            if (p < pattern.length && pattern[p] == ANY) {
                star = p++;
                mark = v;
            } else if (p < pattern.length && fits(pattern[p], value.charAt(v), ignoreCase)) {
                p++;
                v++;
            } else if (star >= 0) {
                p = star + 1;
                v = ++mark;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p] == ANY) {
            p++;
        }
        return p == pattern.length;
    }

    private static boolean fits(int symbol, char c, boolean ignoreCase) {
        return symbol == ONE
                || symbol == c
                || (ignoreCase
                        && symbol >= 0
                        && Character.toLowerCase((char) symbol) == Character.toLowerCase(c));
    }

    @Override
    public String toString() {
        return text;
    }
}
