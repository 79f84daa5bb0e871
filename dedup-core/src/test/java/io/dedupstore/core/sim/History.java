package io.dedupstore.core.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What clients did to one key and were told. A value may be read if some write of it may have taken
 * effect, and no write that surely did lies wholly between them (I7: a write that the client was
 * told had failed is never seen).
 */
final class History {
    private final List<Write> writes = new ArrayList<>();

    /** One attempt to change the key. */
    static final class Write {
        /** Empty for a delete. */
        private final Optional<String> value;

        private final long from;
        private long to = Long.MAX_VALUE;
        private boolean succeeded;
        private boolean failed;

        private Write(Optional<String> value, long from) {
            this.value = value;
            this.from = from;
        }

        void succeeded(long now) {
            succeeded = true;
            to = now;
        }

        void failed(long now) {
            failed = true;
            to = now;
        }
    }

    Write begin(Optional<String> value, long now) {
        Write write = new Write(value, now);
        writes.add(write);
        return write;
    }

    /** Whether a read from {@code from} to {@code to} may have seen this. */
    boolean mayBe(Optional<String> seen, long from, long to) {
        if (seen.isEmpty() && nothingSurelyBefore(from, -1)) {
            return true;
        }
        return writes.stream()
                .filter(w -> !w.failed && w.value.equals(seen) && w.from < to)
                .anyMatch(w -> nothingSurelyBefore(from, w.succeeded ? w.to : Long.MAX_VALUE));
    }

    /** No successful write began after {@code since} and ended before {@code until}. */
    private boolean nothingSurelyBefore(long until, long since) {
        return writes.stream().noneMatch(w -> w.succeeded && w.from > since && w.to < until);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Write write : writes) {
            text.append(
                    "%n%d-%d %s %s"
                            .formatted(
                                    write.from,
                                    write.to == Long.MAX_VALUE ? -1 : write.to,
                                    write.value.orElse("deleted"),
                                    write.failed ? "failed" : write.succeeded ? "ok" : "unknown"));
        }
        return text.toString();
    }
}
