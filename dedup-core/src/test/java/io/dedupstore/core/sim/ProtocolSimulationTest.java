package io.dedupstore.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.io.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Gateways, shards and storage under a network that loses, repeats and delays, with crashes at any
 * step. {@code -Ddedup.sim.seeds=N} runs so many worlds, {@code -Ddedup.sim.minutes=M} stops after
 * so many minutes of the wall clock, {@code -Ddedup.sim.first=S} begins with another seed, {@code
 * -Ddedup.sim.seed=S} runs only this one.
 */
class ProtocolSimulationTest {
    private static final int SEEDS = 2_000;
    private static final int MUTANT_SEEDS = 400;
    private static final Duration VIRTUAL_TIME = Duration.ofMinutes(10);
    private static final System.Logger LOG = System.getLogger("sim");
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final WorkerPool POOL = new WorkerPool("sim-hash", THREADS);

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @Test
    void nothingIsLostAndNothingLeaks() throws InterruptedException {
        Long one = Long.getLong("dedup.sim.seed");
        if (one != null) {
            run(one);
            return;
        }
        Long minutes = Long.getLong("dedup.sim.minutes");
        long seeds = Long.getLong("dedup.sim.seeds", minutes == null ? SEEDS : Long.MAX_VALUE);
        Duration most = minutes == null ? Duration.ofDays(1) : Duration.ofMinutes(minutes);
        Worlds worlds = new Worlds(Long.getLong("dedup.sim.first", 1), seeds, most);
        worlds.run();
        LOG.log(System.Logger.Level.INFO, worlds);
        assertThat(worlds.seen.get().operations()).isGreaterThan(20 * worlds.done.get());
    }

    /** A number of worlds, as many at once as there are processors. */
    private static final class Worlds {
        private final long first;
        private final AtomicLong next;
        private final long end;
        private final long start = System.nanoTime();
        private final Duration most;
        private final AtomicLong done = new AtomicLong();
        private final AtomicReference<World.Seen> seen = new AtomicReference<>(World.Seen.NOTHING);
        private final AtomicReference<AssertionError> failure = new AtomicReference<>();

        Worlds(long first, long count, Duration most) {
            this.first = first;
            this.next = new AtomicLong(first);
            this.end = count > Long.MAX_VALUE - first ? Long.MAX_VALUE : first + count;
            this.most = most;
        }

        void run() throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Thread.startVirtualThread(this::runSome));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            if (failure.get() != null) {
                throw failure.get();
            }
        }

        private void runSome() {
            while (failure.get() == null && System.nanoTime() - start < most.toNanos()) {
                long seed = next.getAndIncrement();
                if (seed >= end) {
                    return;
                }
                try {
                    World.Seen one = ProtocolSimulationTest.run(seed);
                    seen.updateAndGet(all -> all.plus(one));
                    done.incrementAndGet();
                } catch (AssertionError e) {
                    failure.compareAndSet(null, e);
                }
            }
        }

        @Override
        public String toString() {
            World.Seen all = seen.get();
            return "%,d worlds of %d virtual minutes from seed %d in %d s: %,d operations, %,d entries, %,d of them late, %,d events"
                    .formatted(
                            done.get(),
                            VIRTUAL_TIME.toMinutes(),
                            first,
                            Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                            all.operations(),
                            all.entries(),
                            all.late(),
                            all.events());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyPlantedBugIsFound(Mutant mutant) throws InterruptedException {
        AtomicBoolean found = new AtomicBoolean();
        Thread hunt = Thread.startVirtualThread(() -> found.set(isFound(mutant)));
        hunt.join();
        assertThat(found.get()).as("%s in %d worlds", mutant, MUTANT_SEEDS).isTrue();
    }

    private static boolean isFound(Mutant mutant) {
        for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
            try {
                new World(seed, POOL, mutant, VIRTUAL_TIME).run();
            } catch (AssertionError | RuntimeException e) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "%s found by seed %d: %s".formatted(mutant, seed, firstLine(e)));
                return true;
            }
        }
        return false;
    }

    private static String firstLine(Throwable e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage()).strip().lines().findFirst().orElse("");
    }

    private static World.Seen run(long seed) {
        try {
            return new World(seed, POOL, Mutant.NONE, VIRTUAL_TIME).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": -Ddedup.sim.seed=" + seed, e);
        }
    }
}
