package io.dedupstore.core.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FlushPacerTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long FLOOR = 1 << 20;

    private long now;
    private final FlushPacer pacer =
            new FlushPacer(new FlushPacer.Limits(1_000, 1 << 20, 2, FLOOR, 60 * SECOND), now);

    /** Applies so many operations a second, one batch each tenth of it. */
    private void ingest(int operationsPerSecond, int bytesPerSecond, int seconds) {
        for (int i = 0; i < seconds * 10; i++) {
            now += SECOND / 10;
            pacer.applied(operationsPerSecond / 10, bytesPerSecond / 10, now);
        }
    }

    private void flush(long nanos) {
        pacer.began(false, now);
        now += nanos;
        pacer.ended(true, now);
    }

    @Test
    void aFlushIsDueAtTheSoftCapOfOperationsOrOfBytes() {
        pacer.applied(999, 1, now);
        assertThat(pacer.due(now)).isFalse();
        pacer.applied(1, 1, now);
        assertThat(pacer.due(now)).isTrue();
        flush(1);
        pacer.applied(1, (1 << 20) - 1, now);
        assertThat(pacer.due(now)).isFalse();
        pacer.applied(1, 1, now);
        assertThat(pacer.due(now)).isTrue();
    }

    @Test
    void aFlushThatTakesLongBeginsEarlierSoThatItEndsAtTheCap() {
        long endsAt = -1;
        long began = 0;
        for (int tick = 0; tick < 30_000; tick++) {
            now += SECOND / 100;
            pacer.applied(1, 1, now);
            if (endsAt >= 0 && now >= endsAt) {
                pacer.ended(true, now);
                endsAt = -1;
            }
            if (pacer.due(now)) {
                began = pacer.figures().operations();
                pacer.began(false, now);
                endsAt = now + 3 * SECOND;
            }
        }
        assertThat(pacer.figures().ingestOperations()).isBetween(90.0, 110.0);
        assertThat(pacer.figures().flushSeconds()).isBetween(2.5, 3.1);
        assertThat(began).as("what comes in three seconds is left room for").isBetween(680L, 740L);
    }

    @Test
    void whatIsLeftIsFlushedWhenNothingHasComeForAWhile() {
        pacer.applied(1, 1, now);
        now += 59 * SECOND;
        assertThat(pacer.due(now)).isFalse();
        now += SECOND;
        assertThat(pacer.due(now)).isTrue();
        flush(1);
        now += 1000 * SECOND;
        assertThat(pacer.due(now)).as("nothing to flush").isFalse();
    }

    @Test
    void filesAreWrittenAtAMultipleOfWhatComesInAndNeverBelowTheFloor() {
        assertThat(pacer.bytesPerSecond()).isEqualTo(FLOOR);
        for (int i = 0; i < 100; i++) {
            ingest(1, 1 << 18, 1);
            flush(1);
        }
        assertThat(pacer.bytesPerSecond()).isBetween(7L << 18, 8L << 18);
    }

    @Test
    void aBurstIsFollowedAtOnceAndItsEndSlowly() {
        ingest(1, 1 << 18, 1);
        assertThat(pacer.bytesPerSecond()).isBetween(7L << 18, 8L << 18);
        flush(1);
        for (int i = 0; i < 30; i++) {
            ingest(1, 1 << 18, 1);
            flush(1);
        }
        ingest(0, 0, 2);
        assertThat(pacer.bytesPerSecond()).isBetween(5L << 18, 8L << 18);
        ingest(0, 0, 100);
        assertThat(pacer.bytesPerSecond()).isEqualTo(FLOOR);
    }

    @Test
    void pressureRisesWhileTheBacklogGrowsOverTheSoftCapAndFallsBelowIt() {
        ingest(150, 100, 8);
        assertThat(pacer.figures().pressure()).isBetween(1.0, 4.0);
        ingest(150, 100, 4);
        double high = pacer.figures().pressure();
        assertThat(high).isGreaterThan(5);
        assertThat(pacer.bytesPerSecond()).isGreaterThan((long) (4 * FLOOR));
        flush(1);
        ingest(5, 5, 120);
        assertThat(pacer.figures().pressure()).isEqualTo(1);
    }

    @Test
    void commandsAreHeldBackAboveTheHardCapMoreAndMoreUpToABound() {
        pacer.applied(1_999, 1, now);
        assertThat(pacer.delayNanos()).isZero();
        pacer.applied(1, 1, now);
        long atCap = pacer.delayNanos();
        assertThat(atCap).isBetween(1L, TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(pacer.bytesPerSecond()).isEqualTo(FlushPacer.UNLIMITED);
        pacer.applied(1_000, 1, now);
        long above = pacer.delayNanos();
        assertThat(above).isGreaterThan(10 * atCap);
        pacer.applied(1_000_000, 1, now);
        assertThat(pacer.delayNanos()).isBetween(above, TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    void whatIsBeingFlushedCountsUntilItIsDoneAndComesBackWhenItFails() {
        pacer.applied(5_000, 7, now);
        pacer.began(false, now);
        assertThat(pacer.figures().operations()).isEqualTo(5_000);
        assertThat(pacer.due(now)).as("one at a time").isFalse();
        assertThatThrownBy(() -> pacer.began(false, now)).isInstanceOf(IllegalStateException.class);
        pacer.applied(1, 1, now);
        pacer.ended(false, now);
        assertThat(pacer.figures().operations()).isEqualTo(5_001);
        pacer.began(false, now);
        pacer.ended(true, now);
        assertThat(pacer.figures().operations()).isZero();
        assertThat(pacer.delayNanos()).isZero();
    }

    @Test
    void aFlushThatSomebodyWaitsForHasNoLimit() {
        pacer.applied(1, 1, now);
        pacer.began(false, now);
        assertThat(pacer.bytesPerSecond()).isEqualTo(FLOOR);
        pacer.hurry();
        assertThat(pacer.bytesPerSecond()).isEqualTo(FlushPacer.UNLIMITED);
        pacer.ended(true, now);
        assertThat(pacer.bytesPerSecond()).isEqualTo(FLOOR);
    }

    @Test
    void aSteadyLoadNeverReachesTheHardCapThoughEachFlushTakesLong() {
        int delayed = 0;
        long busyUntil = -1;
        for (int tick = 0; tick < 20_000; tick++) {
            now += SECOND / 100;
            pacer.applied(5, 500, now);
            if (busyUntil >= 0 && now >= busyUntil) {
                pacer.ended(true, now);
                busyUntil = -1;
            }
            if (pacer.due(now)) {
                pacer.began(false, now);
                busyUntil = now + SECOND + SECOND / 2;
            }
            delayed += pacer.delayNanos() > 0 ? 1 : 0;
        }
        assertThat(delayed).isZero();
    }
}
