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

        /** Whether something older may be there again. */
        private final boolean restores;

        private Write(Optional<String> value, long from, boolean restores) {
            this.value = value;
            this.from = from;
            this.restores = restores;
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
        return begin(new Write(value, now, false));
    }

    /** The removal of some version: what is there then is what was there before, or nothing. */
    Write beginRemoval(long now) {
        return begin(new Write(Optional.empty(), now, true));
    }

    private Write begin(Write write) {
        writes.add(write);
        return write;
    }

    /** Whether a read from {@code from} to {@code to} may have seen this. */
    boolean mayBe(Optional<String> seen, long from, long to) {
        if (seen.isEmpty() && nothingSurelyBefore(from, -1)) {
            return true;
        }
        return writes.stream()
                .filter(w -> !w.failed && w.from < to)
                .filter(w -> w.restores ? isOfSome(seen) : w.value.equals(seen))
                .anyMatch(w -> nothingSurelyBefore(from, w.succeeded ? w.to : Long.MAX_VALUE));
    }

    private boolean isOfSome(Optional<String> seen) {
        return seen.isEmpty() || writes.stream().anyMatch(w -> !w.failed && w.value.equals(seen));
    }

    /** No successful write began after {@code since} and ended before {@code until}. */
    private boolean nothingSurelyBefore(long until, long since) {
        return writes.stream()
                .noneMatch(w -> w.succeeded && !w.restores && w.from > since && w.to < until);
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
                                    write.restores
                                            ? "version removed"
                                            : write.value.orElse("deleted"),
                                    write.failed ? "failed" : write.succeeded ? "ok" : "unknown"));
        }
        return text.toString();
    }
}
