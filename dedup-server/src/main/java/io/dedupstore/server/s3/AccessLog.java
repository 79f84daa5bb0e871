package io.dedupstore.server.s3;

import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.http.HttpExchange;
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
        private String outcome = "OK";

        Line(HttpExchange exchange, RequestIds ids, long startNanos) {
            this.exchange = exchange;
            this.ids = ids;
            this.startNanos = startNanos;
        }

        void operation(S3Operation parsed) {
            operation = parsed.name();
        }

        void principal(Principal principal) {
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

        private String path() {
            String target = exchange.rawTarget();
            int mark = target.indexOf('?');
            return mark < 0 ? target : target.substring(0, mark);
        }
    }
}
