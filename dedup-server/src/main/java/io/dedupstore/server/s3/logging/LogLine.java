package io.dedupstore.server.s3.logging;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.s3.LoggedRequest;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.UriText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** One request in the format of S3's server access logs: 26 fields, a dash for what is unknown. */
final class LogLine {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.US)
                    .withZone(ZoneOffset.UTC);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String NONE = "-";

    private LogLine() {}

    static String of(LoggedRequest request, Instant time, S3Operation operation, Bucket bucket) {
        HttpExchange exchange = request.exchange();
        Optional<String> authorization = exchange.headers().first("authorization");
        String millis = Long.toString(request.nanos() / NANOS_PER_MILLI);
        return List.of(
                        bucket.owner(),
                        bucket.name(),
                        "[" + TIME.format(time) + "]",
                        exchange.remoteAddress().getAddress().getHostAddress(),
                        request.requester(),
                        request.requestId(),
                        OperationNames.of(operation),
                        key(operation),
                        quoted(
                                exchange.method()
                                        + " "
                                        + withoutSignature(exchange.rawTarget())
                                        + " HTTP/1.1"),
                        Integer.toString(request.status()),
                        request.errorCode().orElse(NONE),
                        number(request.sentBytes()),
                        number(request.objectBytes()),
                        millis,
                        millis,
                        quoted(exchange.headers().first("referer").orElse(NONE)),
                        quoted(exchange.headers().first("user-agent").orElse(NONE)),
                        parameter(exchange.rawTarget(), "versionId"),
                        request.hostId(),
                        signature(authorization, exchange.rawTarget()),
                        NONE,
                        authentication(authorization, exchange.rawTarget()),
                        bare(exchange.headers().first("host").orElse(NONE)),
                        exchange.secure() ? "TLSv1.3" : NONE,
                        NONE,
                        NONE)
                .stream()
                .collect(Collectors.joining(" "));
    }

    private static String key(S3Operation operation) {
        return operation instanceof S3Operation.OfObject object && !object.key().isEmpty()
                ? UriText.encode(object.key())
                : NONE;
    }

    private static String number(long value) {
        return value <= 0 ? NONE : Long.toString(value);
    }

    private static String signature(Optional<String> authorization, String target) {
        if (authorization.filter(text -> text.startsWith("AWS4-")).isPresent()
                || target.contains("X-Amz-Signature=")) {
            return "SigV4";
        }
        return authorization.isPresent() || target.contains("Signature=") ? "SigV2" : NONE;
    }

    private static String authentication(Optional<String> authorization, String target) {
        if (authorization.isPresent()) {
            return "AuthHeader";
        }
        return target.contains("Signature=") ? "QueryString" : NONE;
    }

    /** A log is for many eyes. */
    private static String withoutSignature(String target) {
        return target.replaceAll("(?i)([?&](?:X-Amz-)?Signature=)[^&]*", "$1XXXXX")
                .replaceAll("(?i)([?&]X-Amz-Security-Token=)[^&]*", "$1XXXXX");
    }

    private static String parameter(String target, String name) {
        int start = target.indexOf(name + "=");
        if (start < 0) {
            return NONE;
        }
        int from = start + name.length() + 1;
        int end = target.indexOf('&', from);
        String value = end < 0 ? target.substring(from) : target.substring(from, end);
        return value.isEmpty() ? NONE : bare(value);
    }

    /** Nothing that a client sends may end a field, or a line. */
    private static String quoted(String text) {
        return '"' + text.replaceAll("[\\x00-\\x1f\\x7f\"]", "?") + '"';
    }

    private static String bare(String text) {
        return text.replaceAll("[\\x00-\\x20\\x7f\"]", "?");
    }
}
