package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SharePacerTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private long now = 1;
    private final Random random = new Random(7);

    /** A request each 5 ms; of those so many are beside other work and slower. */
    private void requests(SharePacer pacer, int count, double disturbedShare, double slower) {
        for (int i = 0; i < count; i++) {
            now += 5 * MILLI;
            boolean disturbed = random.nextDouble() < disturbedShare;
            double latency = MILLI * Math.exp(0.4 * random.nextGaussian());
            pacer.request((long) (disturbed ? latency * slower : latency), disturbed, now);
        }
    }

    @Test
    void withoutRequestsWorkNeverRests() {
        SharePacer pacer = new SharePacer(0.02, 0.5);
        assertThat(pacer.restNanos(MILLI, now)).isZero();
        requests(pacer, 10, 0, 1);
        assertThat(pacer.restNanos(MILLI, now)).isPositive();
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(pacer.restNanos(MILLI, now)).isZero();
    }

    @Test
    void aRestKeepsTheShareAndHasABound() {
        SharePacer pacer = new SharePacer(0.25, 0.25);
        requests(pacer, 1, 0, 1);
        assertThat(pacer.restNanos(10 * MILLI, now)).isEqualTo(30 * MILLI);
        assertThat(pacer.restNanos(TimeUnit.MINUTES.toNanos(1), now))
                .isEqualTo(TimeUnit.SECONDS.toNanos(2));
    }

    @Test
    void theCalmTailIsLearntAsWhatOneInAHundredExceeds() {
        SharePacer pacer = new SharePacer(0.02, 0.5);
        requests(pacer, 5_000, 0, 1);
        // exp(0.4 * 2.33) = 2.54
        assertThat(pacer.calmTailNanos() / MILLI).isBetween(1.9, 3.4);
    }

    @Test
    void theShareGrowsToItsMostWhenRequestsDoNotFeelIt() {
        SharePacer pacer = new SharePacer(0.02, 0.5);
        double first = pacer.share();
        assertThat(first).isBetween(0.02, 0.2);
        requests(pacer, 20_000, 0.3, 1);
        assertThat(pacer.share()).isGreaterThan(0.4);
    }

    @Test
    void theShareFallsToItsLeastWhenRequestsSufferAndComesBackAfterwards() {
        SharePacer pacer = new SharePacer(0.02, 0.5);
        requests(pacer, 2_000, 0.3, 1);
        requests(pacer, 4_000, 0.3, 6);
        assertThat(pacer.share()).isEqualTo(0.02);
        requests(pacer, 20_000, 0.05, 1);
        assertThat(pacer.share()).isGreaterThan(0.3);
    }

    @Test
    void workThatPilesUpHasMoreAndMoreOfTheTimeWhateverRequestsFeel() {
        SharePacer pacer = new SharePacer(0.02, 0.5);
        requests(pacer, 2_000, 0.3, 1);
        requests(pacer, 4_000, 0.3, 6);
        assertThat(pacer.share()).isEqualTo(0.02);
        pacer.pressure(0.5);
        assertThat(pacer.share()).isBetween(0.13, 0.15);
        pacer.pressure(3);
        assertThat(pacer.restNanos(MILLI, now)).isZero();
        pacer.pressure(0);
        assertThat(pacer.share()).isEqualTo(0.02);
    }

    @Test
    void nothingIsDecidedBeforeCalmIsKnown() {
        SharePacer pacer = new SharePacer(0.02, 0.5);
        double first = pacer.share();
        requests(pacer, 1_000, 1, 100);
        assertThat(pacer.share()).isEqualTo(first);
        assertThat(pacer.calmTailNanos()).isZero();
    }
}
