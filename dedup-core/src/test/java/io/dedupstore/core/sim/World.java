package io.dedupstore.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * One simulated cluster with its clients from its first moment until everything has come to rest,
 * all of it decided by a seed. Time passes in steps of some milliseconds, so that activities
 * overlap in every way, and now and then in leaps of many seconds, as they lie between them.
 */
final class World {
    private static final int STEP_MILLIS = 20;
    private static final int LEAP_MILLIS = 20_000;
    private static final int MAX_REST = 100_000;

    private final Cluster cluster;
    private final List<Gateway> gateways = new ArrayList<>();
    private final List<Gateway> fenced = new ArrayList<>();
    private final long millis;
    private long events;
    private long operations;

    /**
     * What a world has seen.
     *
     * @param entries commands that the state machines took
     * @param late of them, those that came when nobody waited for them any more
     */
    record Seen(long events, long operations, long entries, long late) {
        static final Seen NOTHING = new Seen(0, 0, 0, 0);

        Seen plus(Seen other) {
            return new Seen(
                    events + other.events,
                    operations + other.operations,
                    entries + other.entries,
                    late + other.late);
        }
    }

    World(long seed, WorkerPool pool, Mutant mutant, Duration time) {
        this.millis = time.toMillis();
        this.cluster = new Cluster(seed, pool, mutant);
        cluster.startMaintenance();
        gateways.add(new Gateway(cluster, "left"));
        gateways.add(new Gateway(cluster, "right"));
        if (cluster.random.nextBoolean()) {
            cluster.changeVersioning();
        }
        cluster.network.faults(5 + cluster.random.nextInt(20));
        cluster.storage.faults(cluster.random.nextInt(5));
    }

    Seen run() {
        long end = cluster.millis + millis;
        while (cluster.millis < end) {
            boolean leap = cluster.random.nextInt(50) == 0;
            cluster.millis += cluster.random.nextInt(leap ? LEAP_MILLIS : STEP_MILLIS);
            event(cluster.random.nextInt(1000));
            events++;
            if (events % 100 == 0) {
                cluster.checkBooks("event " + events);
            }
        }
        rest();
        return new Seen(events, operations, cluster.entries(), cluster.network.deliveredLate());
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
        } else if (chance < 205) {
            fence(cluster.random.nextInt(gateways.size()));
        } else if (chance < 208) {
            cluster.crashMaintenance();
        } else if (chance < 212) {
            // A storm, or calm again: several answers in a row are lost.
            cluster.network.faults(
                    cluster.random.nextInt(4) == 0 ? 80 : cluster.random.nextInt(20));
        } else if (chance < 224) {
            cluster.limitEntries(
                    cluster.random.nextBoolean()
                            ? OptionalLong.empty()
                            : OptionalLong.of(cluster.random.nextInt(4)));
        } else if (chance < 228) {
            cluster.prune();
        } else if (chance < 231) {
            cluster.cutOffSomeShard();
        } else if (chance < 234) {
            cluster.suspect();
        } else if (chance == 234) {
            cluster.changeVersioning();
        } else if (chance < 240) {
            cluster.mutant.mischief(cluster);
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

    /** The process is gone, and its session with it. */
    private void crash(int which) {
        Gateway gateway = gateways.get(which);
        cluster.scheduler.kill(gateway);
        operations += gateway.done;
        cluster.control.endSession(gateway.session());
        gateways.set(which, new Gateway(cluster, gateway.node));
    }

    /** The session has lapsed, but the process lives and goes on with what it was about. */
    private void fence(int which) {
        Gateway gateway = gateways.get(which);
        fenced.add(gateway);
        gateways.set(which, new Gateway(cluster, gateway.node));
    }

    /** No more faults, no more clients; everything is worked off and every epoch closed. */
    private void rest() {
        cluster.network.faults(0);
        cluster.storage.faults(0);
        cluster.storage.cutOff(null);
        gateways.addAll(fenced);
        for (Gateway gateway : gateways) {
            while (cluster.scheduler.count(gateway) > 0) {
                cluster.scheduler.step();
            }
            operations += gateway.done;
            cluster.control.endSession(gateway.session());
        }
        Gateway last = new Gateway(cluster, "last");
        settle(() -> cluster.unindexed() == 0);
        cluster.stopRededup();
        settle(() -> true);
        for (String key : Cluster.KEYS) {
            last.read(ObjectKey.of(key), "at rest");
            last.readVersions(ObjectKey.of(key), "at rest");
        }
        cluster.stopMaintenance();
        cluster.checkRest("at rest");
    }

    private void settle(BooleanSupplier done) {
        int steps = 0;
        while (!cluster.isQuiet() || cluster.work() || !done.getAsBoolean()) {
            assertThat(steps).as("it comes to rest").isLessThan(MAX_REST);
            if (steps % 1000 == 0) {
                // Some limit that was set earlier may still be on its way.
                cluster.limitEntries(OptionalLong.empty());
            }
            steps++;
            cluster.network.deliverLate();
            cluster.work();
            cluster.scheduler.step();
        }
    }
}
