package io.dedupstore.server.admin;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which entries are to be pruned; exactly one of the three is given.
 *
 * @param olderThan not touched for so long
 * @param percent share of the entries with one reference
 * @param entries number of them
 * @param dryRun only count
 */
public record PruneRequest(
        Optional<Duration> olderThan,
        Optional<Double> percent,
        Optional<Long> entries,
        boolean dryRun) {
    private static final Pattern AGE = Pattern.compile("([0-9]{1,9})(s|m|h|d)");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of(
                    "s", ChronoUnit.SECONDS,
                    "m", ChronoUnit.MINUTES,
                    "h", ChronoUnit.HOURS,
                    "d", ChronoUnit.DAYS);

    public PruneRequest {
        long given = Stream.of(olderThan, percent, entries).filter(Optional::isPresent).count();
        if (given != 1) {
            throw AdminRequest.invalid(
                    "say what to prune by one of olderThan=30d, percent=10 or entries=100000");
        }
    }

    static PruneRequest of(AdminRequest request) {
        return new PruneRequest(
                request.text("olderThan").map(PruneRequest::age),
                request.text("percent").map(PruneRequest::percent),
                request.number("entries", Long.MAX_VALUE),
                request.flag("dryRun"));
    }

    private static Duration age(String text) {
        Matcher matcher = AGE.matcher(text);
        if (!matcher.matches()) {
            throw AdminRequest.invalid(
                    "olderThan is like 90s, 15m, 12h or 30d, not '" + text + "'");
        }
        ChronoUnit unit = UNITS.getOrDefault(matcher.group(2), ChronoUnit.SECONDS);
        try {
            return Duration.of(Long.parseLong(matcher.group(1)), unit);
        } catch (DateTimeException | ArithmeticException e) {
            throw new AdminException(
                    AdminException.Code.INVALID_REQUEST, "olderThan is too long", e);
        }
    }

    private static double percent(String text) {
        double percent = text.matches("[0-9]{1,3}([.][0-9]{1,6})?") ? Double.parseDouble(text) : -1;
        if (percent < 0 || percent > 100) {
            throw AdminRequest.invalid("percent is a number from 0 to 100, not '" + text + "'");
        }
        return percent;
    }
}
