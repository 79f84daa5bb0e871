package io.dedupstore.core.index;

import io.dedupstore.core.model.ShardId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Shards that gave no answer several times in a row. They are left alone for a while, so that not
 * every write waits for the deadline again. Any thread.
 */
final class AvoidedShards {
    /** One lost answer says nothing. */
    private static final int FAILURES = 3;

    private final AtomicIntegerArray failures;
    private final AtomicLongArray untilMillis;
    private final long avoidMillis;
    private final InstantSource clock;

    AvoidedShards(int shards, Duration avoidFor, InstantSource clock) {
        this.failures = new AtomicIntegerArray(shards);
        this.untilMillis = new AtomicLongArray(shards);
        this.avoidMillis = avoidFor.toMillis();
        this.clock = clock;
    }

    boolean contains(ShardId shard) {
        return untilMillis.get(shard.number()) > clock.millis();
    }

    void answered(ShardId shard) {
        failures.set(shard.number(), 0);
    }

    void failed(ShardId shard) {
        if (failures.incrementAndGet(shard.number()) >= FAILURES && avoidMillis > 0) {
            untilMillis.set(shard.number(), clock.millis() + avoidMillis);
        }
    }
}
