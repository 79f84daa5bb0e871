package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LongSummaryStatistics;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Kills the server at random moments under eight writers and an operator. In some rounds the server
 * is then left alone until all is settled, and references, index and slots must agree; in the
 * others it is killed again before.
 */
class KillDashNineTest {
    private static final System.Logger LOG = System.getLogger("crash");
    private static final int WRITERS = 8;
    private static final int MIN_MILLIS = 100;
    private static final int MAX_MILLIS = 3_500;

    /** One round in so many is looked at once all is settled; the last one always. */
    private static final int SETTLED_ROUNDS = 3;

    @Test
    void whatWasAcknowledgedSurvivesEveryKillAndNothingLeaks()
            throws IOException, InterruptedException {
        int rounds = Integer.getInteger("dedup.test.kills", LongRun.choose(8, 200));
        long seed = Long.getLong("dedup.test.seed", System.nanoTime());
        LOG.log(System.Logger.Level.INFO, "%d kills, seed %d".formatted(rounds, seed));
        Random random = new Random(seed);
        CrashLoad load = new CrashLoad(WRITERS, seed);
        CrashOperator operator = new CrashOperator(seed);
        LongSummaryStatistics starts = new LongSummaryStatistics();
        Instant begin = Instant.now();
        int settled = 0;
        try (ServerProcess server =
                ServerProcess.start(
                        "crash", "--freed-slot-grace", "1s", "--container-size", "16MiB")) {
            try (AdminClient admin = server.admin()) {
                load.createBuckets(admin);
            }
            for (int round = 1; round <= rounds; round++) {
                String when = "seed " + seed + ", round " + round;
                try (AdminClient admin = server.admin()) {
                    // The moment is the point: no condition is waited for.
                    load.writeAndKill(
                            server,
                            () -> operator.workUntilItFails(admin),
                            () ->
                                    TimeUnit.MILLISECONDS.sleep(
                                            random.nextInt(MIN_MILLIS, MAX_MILLIS)),
                            when);
                }
                server.restart();
                starts.accept(server.startTime().toMillis());
                load.verify(server, when);
                if (round == rounds || random.nextInt(SETTLED_ROUNDS) == 0) {
                    settled++;
                    try (AdminClient admin = server.admin()) {
                        IndexChecks.assertNothingIsLeft(admin, when);
                    }
                }
            }
        }
        LOG.log(
                System.Logger.Level.INFO,
                ("%d kills in %d s, %d of them settled and compared, seed %d; acknowledged: %s and"
                                + " %d jobs; starts took %d to %d ms, %.0f on average")
                        .formatted(
                                rounds,
                                Duration.between(begin, Instant.now()).toSeconds(),
                                settled,
                                seed,
                                load.acknowledged(),
                                operator.acknowledged(),
                                starts.getMin(),
                                starts.getMax(),
                                starts.getAverage()));
        assertThat(load.acknowledged().values().stream().mapToLong(n -> n).sum())
                .isGreaterThan(rounds);
    }
}
