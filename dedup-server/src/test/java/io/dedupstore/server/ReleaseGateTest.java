package io.dedupstore.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReleaseGateTest {
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicReference<Double> pressure = new AtomicReference<>(-1.0);
    private final ReleaseGate gate = new ReleaseGate(waiting::get, 100 * 1024, pressure::set);

    @Test
    void releasesAreSentWhileFewerThanSoManyAreOnTheirWay() {
        waiting.set(99);
        assertThat(gate.getAsBoolean()).isTrue();
        waiting.set(100);
        assertThat(gate.getAsBoolean()).isFalse();
        assertThat(pressure.get()).as("a full gate alone is no hurry").isZero();
    }

    @Test
    void whatRequestsPileUpBehindAFullGateMakesHurry() {
        waiting.set(600);
        assertThat(gate.getAsBoolean()).isFalse();
        assertThat(pressure.get()).isEqualTo(0.5);
        waiting.set(100_000);
        gate.getAsBoolean();
        assertThat(pressure.get()).isEqualTo(1);
        waiting.set(0);
        assertThat(gate.getAsBoolean()).isTrue();
        assertThat(pressure.get()).isZero();
    }
}
