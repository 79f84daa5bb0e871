package io.dedupstore.core.sigv4;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The date formats signatures and HTTP use. */
final class Timestamps {
    private static final DateTimeFormatter BASIC =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssX", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter BASIC_OUT =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final List<DateTimeFormatter> DATE_HEADER =
            List.of(BASIC, DateTimeFormatter.RFC_1123_DATE_TIME, DateTimeFormatter.ISO_DATE_TIME);

    private Timestamps() {}

    static String basic(Instant time) {
        return BASIC_OUT.format(time);
    }

    static String day(Instant time) {
        return basic(time).substring(0, 8);
    }

    static String iso(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static Optional<Instant> parseBasic(String text) {
        return text.length() == 16 ? parse(BASIC, text) : Optional.empty();
    }

    /** A {@code Date} header in any of the formats clients send. */
    static Optional<Instant> parseDateHeader(String text) {
        return DATE_HEADER.stream().flatMap(format -> parse(format, text).stream()).findFirst();
    }

    private static Optional<Instant> parse(DateTimeFormatter format, String text) {
        try {
            return Optional.of(format.parse(text, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
