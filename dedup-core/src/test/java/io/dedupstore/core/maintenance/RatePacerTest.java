package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RatePacerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void workKeepsToItsRateHoweverLargeItsPieces() {
        RatePacer pacer = new RatePacer(1000);
        long now = -5 * SECOND;
        long start = now;
        for (int i = 1; i <= 500; i++) {
            now += pacer.spend(i % 37, now);
        }
        long units = 0;
        for (int i = 1; i <= 500; i++) {
            units += i % 37;
        }
        double seconds = (double) (now - start) / SECOND;
        assertThat(seconds).isBetween(units / 1000.0 - 0.11, units / 1000.0 + 0.01);
    }

    @Test
    void aLongRestSavesUpNoBurst() {
        RatePacer pacer = new RatePacer(1000);
        pacer.spend(1, 0);
        long now = 3600 * SECOND;
        assertThat(pacer.spend(100, now)).isZero();
        assertThat(pacer.spend(1000, now)).isEqualTo(SECOND);
    }

    @Test
    void aRateOfNothingIsRefused() {
        assertThatThrownBy(() -> new RatePacer(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
