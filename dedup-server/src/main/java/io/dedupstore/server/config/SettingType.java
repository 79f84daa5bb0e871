package io.dedupstore.server.config;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a setting's text is read.
 *
 * @param label what the documentation writes for a value
 * @param parser throws IllegalArgumentException with a message that completes "'text' ..."
 */
record SettingType<T>(String label, Function<String, T> parser) {
    static final SettingType<Integer> PORT =
            new SettingType<>("port", text -> integer(text, 0, 65_535));
    static final SettingType<Boolean> SWITCH = new SettingType<>("true|false", SettingType::bool);
    static final SettingType<Long> SIZE = new SettingType<>("size", SettingType::size);
    static final SettingType<Duration> DURATION =
            new SettingType<>("duration", SettingType::duration);
    static final SettingType<Optional<Path>> OPTIONAL_PATH =
            new SettingType<>("path", SettingType::optionalPath);
    static final SettingType<List<String>> NAMES =
            new SettingType<>(
                    "name,name", text -> list(text).stream().map(DnsName::check).toList());
    static final SettingType<List<String>> WORDS =
            new SettingType<>("word,word", SettingType::list);
    static final SettingType<List<IpRange>> IP_RANGES =
            new SettingType<>(
                    "range,range", text -> list(text).stream().map(IpRange::parse).toList());

    private static final Pattern SIZE_TEXT =
            Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z]+)");
    private static final Pattern DURATION_TEXT = Pattern.compile("([0-9]+)\\s*([a-z]+)");
    private static final Map<String, Long> SIZE_UNITS =
            Map.of(
                    "b",
                    1L,
                    "kib",
                    1L << 10,
                    "mib",
                    1L << 20,
                    "gib",
                    1L << 30,
                    "tib",
                    1L << 40,
                    "kb",
                    1_000L,
                    "mb",
                    1_000_000L,
                    "gb",
                    1_000_000_000L,
                    "tb",
                    1_000_000_000_000L);
    private static final Map<String, Duration> DURATION_UNITS =
            Map.of(
                    "ms", Duration.ofMillis(1),
                    "s", Duration.ofSeconds(1),
                    "m", Duration.ofMinutes(1),
                    "h", Duration.ofHours(1),
                    "d", Duration.ofDays(1));

    static SettingType<Integer> count(int min, int max) {
        return new SettingType<>("number", text -> integer(text, min, max));
    }

    static <E extends Enum<E>> SettingType<E> choice(Class<E> type) {
        List<String> names =
                List.of(type.getEnumConstants()).stream()
                        .map(value -> value.name().toLowerCase(Locale.ROOT))
                        .toList();
        return new SettingType<>(
                String.join("|", names),
                text -> {
                    int index = names.indexOf(text.toLowerCase(Locale.ROOT));
                    if (index < 0) {
                        throw new IllegalArgumentException(
                                "is none of " + String.join(", ", names));
                    }
                    return type.getEnumConstants()[index];
                });
    }

    private static int integer(String text, int min, int max) {
        if (text.matches("[0-9]{1,9}")) {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        }
        throw new IllegalArgumentException("is no number from " + min + " to " + max);
    }

    private static boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    private static long size(String text) {
        Matcher match = SIZE_TEXT.matcher(text);
        Long unit =
                match.matches() ? SIZE_UNITS.get(match.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw new IllegalArgumentException(
                    "is no size; write a number and one of B, KiB, MiB, GiB, TiB (or KB, MB, GB, TB),"
                            + " like 64MiB");
        }
        BigInteger bytes =
                new BigDecimal(match.group(1)).multiply(BigDecimal.valueOf(unit)).toBigInteger();
        if (bytes.bitLength() > 62) {
            throw new IllegalArgumentException("is too large");
        }
        return bytes.longValueExact();
    }

    private static Duration duration(String text) {
        Matcher match = DURATION_TEXT.matcher(text);
        Duration unit = match.matches() ? DURATION_UNITS.get(match.group(2)) : null;
        if (unit == null || match.group(1).length() > 9) {
            throw new IllegalArgumentException(
                    "is no duration; write a whole number and one of ms, s, m, h, d, like 30s");
        }
        return unit.multipliedBy(Long.parseLong(match.group(1)));
    }

    private static Optional<Path> optionalPath(String text) {
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Path.of(text).toAbsolutePath().normalize());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is no path: " + e.getReason(), e);
        }
    }

    private static List<String> list(String text) {
        return List.of(text.split(",")).stream()
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
