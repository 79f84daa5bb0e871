package io.dedupstore.server.s3;

import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.http.HttpExchange;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line for each request, when switched on. Never the query, which may hold a signature. */
final class AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger("io.dedupstore.access");
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final boolean on;

    AccessLog(boolean on) {
        this.on = on;
    }

    Line begin(HttpExchange exchange, RequestIds ids) {
        return new Line(exchange, ids, System.nanoTime());
    }

    /** What is known of a request so far. */
    final class Line {
        private final HttpExchange exchange;
        private final RequestIds ids;
        private final long startNanos;
        private String operation = "-";
        private String who = "-";
        private String requester = "-";
        private String outcome = "OK";
        private Optional<S3Operation> wanted = Optional.empty();

        Line(HttpExchange exchange, RequestIds ids, long startNanos) {
            this.exchange = exchange;
            this.ids = ids;
            this.startNanos = startNanos;
        }

        void operation(S3Operation parsed) {
            operation = parsed.name();
            wanted = Optional.of(parsed);
        }

        void principal(Principal principal) {
            requester =
                    switch (principal) {
                        case Principal.Account account -> account.accountId();
                        case Principal.Anonymous anonymous -> "-";
                    };
            who =
                    switch (principal) {
                        case Principal.Account account -> account.accessKey();
                        case Principal.Anonymous anonymous -> "anonymous";
                    };
        }

        void failed(String code) {
            outcome = code;
        }

        void end() {
            if (on) {
                LOG.info(
                        "{} {} {} {} {} {} {} ms",
                        ids.requestId(),
                        exchange.remoteAddress().getAddress().getHostAddress(),
                        who,
                        operation,
                        path(),
                        outcome,
                        (System.nanoTime() - startNanos) / NANOS_PER_MILLI);
            }
        }

        /** What logs of buckets hear. */
        LoggedRequest logged(MeasuredExchange measured) {
            boolean whole = measured.status() == 200;
            return new LoggedRequest(
                    exchange,
                    ids.requestId(),
                    ids.hostId(),
                    requester,
                    wanted,
                    measured.status(),
                    outcome.equals("OK") ? Optional.empty() : Optional.of(outcome),
                    measured.sentBytes(),
                    whole ? objectBytes(measured.announcedBytes()) : 0,
                    System.nanoTime() - startNanos);
        }

        private long objectBytes(long answered) {
            String decoded = "x-amz-decoded-content-length";
            return switch (wanted.orElse(null)) {
                case S3Operation.GetObject o -> answered;
                case S3Operation.HeadObject o -> answered;
                case S3Operation.PutObject o ->
                        exchange.headers()
                                .first(decoded)
                                .or(() -> exchange.headers().first("content-length"))
                                .filter(text -> text.matches("[0-9]{1,18}"))
                                .map(Long::parseLong)
                                .orElse(0L);
                case null, default -> 0;
            };
        }

        private String path() {
            String target = exchange.rawTarget();
            int mark = target.indexOf('?');
            return mark < 0 ? target : target.substring(0, mark);
        }
    }
}
