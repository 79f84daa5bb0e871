package io.dedupstore.server.s3;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The dates of S3: ISO 8601 with milliseconds in documents, RFC 1123 in headers. */
public final class S3Dates {
    private static final DateTimeFormatter ISO_MILLIS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter HTTP =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                    .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter RFC_850 =
            new DateTimeFormatterBuilder()
                    .appendPattern("EEEE, dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
                    .appendPattern(" HH:mm:ss 'GMT'")
                    .toFormatter(Locale.US)
                    .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter ASCTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US)
                    .withZone(ZoneOffset.UTC);
    private static final List<DateTimeFormatter> ACCEPTED =
            List.of(
                    DateTimeFormatter.RFC_1123_DATE_TIME,
                    RFC_850,
                    ASCTIME,
                    DateTimeFormatter.ISO_DATE_TIME);

    /** Of days of the week many clients are not sure. */
    private static final Pattern WEEKDAY = Pattern.compile("^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ");

    private S3Dates() {}

    public static String iso(long millis) {
        return ISO_MILLIS.format(Instant.ofEpochMilli(millis));
    }

    public static String http(long millis) {
        return HTTP.format(Instant.ofEpochMilli(millis));
    }

    /** RFC 1123, RFC 850, asctime or ISO 8601; empty when it is none of them. */
    public static Optional<Instant> parse(String text) {
        String stripped = WEEKDAY.matcher(text.strip()).replaceFirst("");
        for (DateTimeFormatter formatter : ACCEPTED) {
            try {
                return Optional.of(
                        switch (formatter.parseBest(
                                stripped, ZonedDateTime::from, LocalDateTime::from)) {
                            case ZonedDateTime zoned -> zoned.toInstant();
                            case LocalDateTime local -> local.toInstant(ZoneOffset.UTC);
                            default -> throw new DateTimeException("neither");
                        });
            } catch (DateTimeException e) {
                continue;
            }
        }
        return Optional.empty();
    }
}
