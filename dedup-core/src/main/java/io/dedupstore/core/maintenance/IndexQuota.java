package io.dedupstore.core.maintenance;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What bounds the fingerprint index, as an operator sets it. */
public sealed interface IndexQuota {
    /** It grows as it may. */
    record None() implements IndexQuota {}

    /** It follows the memory of the machine, and the index's drive where it has one of its own. */
    record Auto() implements IndexQuota {}

    /** Of entries on disk, everything included. */
    record Bytes(long bytes) implements IndexQuota {
        public Bytes {
            requirePositive(bytes);
        }
    }

    record Entries(long entries) implements IndexQuota {
        public Entries {
            requirePositive(entries);
        }
    }

    private static void requirePositive(long number) {
        if (number < 1) {
            throw new IllegalArgumentException(
                    "a quota is at least 1; a store without any index is not possible");
        }
    }

    /** {@code none}, {@code auto}, {@code 4GiB} or {@code 1000000 entries}. */
    static IndexQuota parse(String text) {
        String plain = text.strip().toLowerCase(Locale.ROOT);
        return switch (plain) {
            case "none" -> new None();
            case "auto" -> new Auto();
            default -> Parsing.number(plain, text);
        };
    }

    /** As {@link #parse} reads it; this is what is kept. */
    default String text() {
        return switch (this) {
            case None() -> "none";
            case Auto() -> "auto";
            case Bytes(long bytes) -> bytes + " bytes";
            case Entries(long entries) -> entries + " entries";
        };
    }

    /** Numbers with their units. */
    final class Parsing {
        private static final Pattern NUMBER = Pattern.compile("([0-9]{1,19}) ?([a-z]+)");
        private static final Map<String, Integer> SHIFTS =
                Map.of("b", 0, "bytes", 0, "kib", 10, "mib", 20, "gib", 30, "tib", 40);

        private Parsing() {}

        private static IndexQuota number(String plain, String asked) {
            Matcher matcher = NUMBER.matcher(plain);
            if (matcher.matches()) {
                BigInteger number = new BigInteger(matcher.group(1));
                boolean entries = matcher.group(2).equals("entries");
                Integer shift = entries ? Integer.valueOf(0) : SHIFTS.get(matcher.group(2));
                if (shift != null && number.shiftLeft(shift).bitLength() < Long.SIZE) {
                    long value = number.shiftLeft(shift).longValue();
                    return entries ? new Entries(value) : new Bytes(value);
                }
            }
            throw new IllegalArgumentException(
                    "the quota must be none, auto, bytes like 4GiB, or a number like '1000000"
                            + " entries', not '"
                            + asked
                            + "'");
        }
    }
}
