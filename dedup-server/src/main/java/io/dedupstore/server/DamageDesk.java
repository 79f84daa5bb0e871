package io.dedupstore.server;

import io.dedupstore.core.maintenance.ChunkHealer;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.server.cluster.PeriodicWork;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes reports of damaged slots from readers and scrubs, which must not wait, and has them dealt
 * with one after another on a thread of its own. Any thread.
 */
final class DamageDesk implements AutoCloseable {
    /** More are found again by the next reader or scrub. */
    private static final int MAX_REPORTS = 10_000;

    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    private final ChunkHealer healer;
    private final Map<ChunkAddress, Optional<Fingerprint>> reports = new ConcurrentHashMap<>();
    private final PeriodicWork loop = new PeriodicWork("damage", LOOK_EVERY, this::step);

    DamageDesk(ChunkHealer healer) {
        this.healer = healer;
    }

    void start() {
        loop.start();
    }

    /**
     * @param fingerprint of the chunk that must be there; empty when nobody can tell
     */
    void report(ChunkAddress slot, Optional<Fingerprint> fingerprint) {
        if (reports.size() < MAX_REPORTS && reports.putIfAbsent(slot, fingerprint) == null) {
            loop.wake();
        }
    }

    private boolean step() {
        for (Map.Entry<ChunkAddress, Optional<Fingerprint>> report : reports.entrySet()) {
            ChunkAddress slot = report.getKey();
            report.getValue()
                    .ifPresentOrElse(
                            fingerprint -> healer.damaged(new ChunkReference(fingerprint, slot)),
                            () -> healer.damaged(slot));
            reports.remove(slot);
        }
        return false;
    }

    @Override
    public void close() {
        loop.close();
    }
}
