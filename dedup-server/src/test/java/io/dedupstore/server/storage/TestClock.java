package io.dedupstore.server.storage;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that passes when told. */
final class TestClock implements InstantSource {
    private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

    void advance(Duration duration) {
        now = now.plus(duration);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
