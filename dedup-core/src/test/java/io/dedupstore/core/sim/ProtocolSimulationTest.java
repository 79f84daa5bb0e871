package io.dedupstore.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Gateways, shards and storage under a network that loses, repeats and delays, with crashes at any
 * step. {@code -Ddedup.sim.seeds=N} runs so many worlds, {@code -Ddedup.sim.seed=S} only this one.
 */
class ProtocolSimulationTest {
    private static final int MUTANT_SEEDS = 150;
    private static final int EVENTS = 3_000;
    private static final int MAX_REST = 200_000;
    private static final WorkerPool POOL = new WorkerPool("sim-hash", 1);

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @Test
    void nothingIsLostAndNothingLeaks() {
        Long one = Long.getLong("dedup.sim.seed");
        if (one != null) {
            run(one);
            return;
        }
        long seeds = Long.getLong("dedup.sim.seeds", 60);
        long operations = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            operations += run(seed);
        }
        assertThat(operations).isGreaterThan(20 * seeds);
        System.getLogger("sim")
                .log(
                        System.Logger.Level.INFO,
                        "%d worlds from seed 1, %d operations".formatted(seeds, operations));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyPlantedBugIsFound(Mutant mutant) {
        for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
            try {
                new World(seed, mutant).run();
            } catch (AssertionError | RuntimeException e) {
                System.getLogger("sim")
                        .log(
                                System.Logger.Level.INFO,
                                "%s found by seed %d: %s".formatted(mutant, seed, firstLine(e)));
                return;
            }
        }
        throw new AssertionError(mutant + " was not found by " + MUTANT_SEEDS + " worlds");
    }

    private static String firstLine(Throwable e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage()).strip().lines().findFirst().orElse("");
    }

    private static long run(long seed) {
        try {
            return new World(seed, Mutant.NONE).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": -Ddedup.sim.seed=" + seed, e);
        }
    }

    private static final class World {
        private final Cluster cluster;
        private final List<Gateway> gateways = new ArrayList<>();
        private long operations;

        World(long seed, Mutant mutant) {
            this.cluster = new Cluster(seed, POOL, mutant);
            cluster.startMaintenance();
            gateways.add(new Gateway(cluster));
            gateways.add(new Gateway(cluster));
            cluster.network.faults(5 + cluster.random.nextInt(20));
            cluster.storage.faults(cluster.random.nextInt(5));
        }

        long run() {
            for (int event = 0; event < EVENTS; event++) {
                cluster.millis += cluster.random.nextInt(20);
                event(cluster.random.nextInt(1000));
                if (event % 100 == 0) {
                    cluster.checkBooks("event " + event);
                }
            }
            rest();
            return operations;
        }

        private void event(int chance) {
            if (chance < 40) {
                start();
            } else if (chance < 100) {
                cluster.network.deliverLate();
            } else if (chance < 200) {
                cluster.work();
            } else if (chance < 203) {
                crash(cluster.random.nextInt(gateways.size()));
            } else if (chance < 206) {
                cluster.crashMaintenance();
            } else if (chance < 210) {
                // A storm, or calm again: several answers in a row are lost.
                cluster.network.faults(
                        cluster.random.nextInt(4) == 0 ? 80 : cluster.random.nextInt(20));
            } else if (chance < 222) {
                cluster.limitEntries(
                        cluster.random.nextBoolean()
                                ? OptionalLong.empty()
                                : OptionalLong.of(cluster.random.nextInt(4)));
            } else if (chance < 226) {
                cluster.prune();
            } else if (chance < 229) {
                cluster.cutOffSomeShard();
            } else {
                cluster.scheduler.step();
            }
        }

        private void start() {
            Gateway gateway = gateways.get(cluster.random.nextInt(gateways.size()));
            if (cluster.scheduler.count(gateway) < 4) {
                gateway.startClient();
            }
        }

        private void crash(int which) {
            Gateway gateway = gateways.get(which);
            cluster.scheduler.kill(gateway);
            operations += gateway.done;
            cluster.control.endSession(gateway.session());
            gateways.set(which, new Gateway(cluster));
        }

        /** No more faults, no more clients; everything is worked off and every epoch closed. */
        private void rest() {
            cluster.network.faults(0);
            cluster.storage.faults(0);
            cluster.storage.cutOff(null);
            for (int which = 0; which < gateways.size(); which++) {
                Gateway gateway = gateways.get(which);
                while (cluster.scheduler.count(gateway) > 0) {
                    cluster.scheduler.step();
                }
                operations += gateway.done;
                cluster.control.endSession(gateway.session());
            }
            Gateway last = new Gateway(cluster);
            int steps = 0;
            while (!cluster.isQuiet() || cluster.work()) {
                assertThat(steps++).as("it comes to rest").isLessThan(MAX_REST);
                cluster.network.deliverLate();
                cluster.work();
                cluster.scheduler.step();
            }
            for (String key : Cluster.KEYS) {
                last.read(ObjectKey.of(key), "at rest");
            }
            cluster.stopMaintenance();
            cluster.checkRest("at rest");
        }
    }
}
