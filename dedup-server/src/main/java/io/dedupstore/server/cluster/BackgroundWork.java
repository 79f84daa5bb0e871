package io.dedupstore.server.cluster;

import io.dedupstore.core.maintenance.EpochCloser;
import io.dedupstore.core.maintenance.OutboxPump;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads behind the data path of one process, on leaders only: each outbox has its pump, each
 * group its background commands, and one thread closes epochs. Everything they do is recorded in
 * the groups, so they may die at any point and go on after a restart.
 */
public final class BackgroundWork implements AutoCloseable {
    private static final Duration OUTBOX_GATHER = Duration.ofMillis(50);
    private static final Duration WORK_GATHER = Duration.ofMillis(20);
    private static final Duration EPOCH_GATHER = Duration.ofMillis(100);
    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration QUIET_POLL = Duration.ofMillis(5);

    private final List<OutboxPump> pumps;
    private final List<WorkingGroup> groups;
    private final EpochCloser closer;
    private final List<PacedLoop> loops = new ArrayList<>();
    private final AtomicLong applied = new AtomicLong();

    /**
     * @param groups whose machines have background commands
     */
    public BackgroundWork(List<OutboxPump> pumps, List<WorkingGroup> groups, EpochCloser closer) {
        this.pumps = List.copyOf(pumps);
        this.groups = List.copyOf(groups);
        this.closer = closer;
        for (int i = 0; i < pumps.size(); i++) {
            loops.add(new PacedLoop("outbox-" + i, pumps.get(i)::step, OUTBOX_GATHER, IDLE));
        }
        for (WorkingGroup group : groups) {
            loops.add(new PacedLoop("work-" + group.name(), group::work, WORK_GATHER, IDLE));
        }
        loops.add(new PacedLoop("epochs", closer::step, EPOCH_GATHER, IDLE));
    }

    public void start() {
        groups.forEach(group -> group.listen().accept(this::applied));
        loops.forEach(PacedLoop::start);
    }

    private void applied() {
        applied.incrementAndGet();
        loops.forEach(PacedLoop::wake);
    }

    /**
     * Whether every outbox is empty, no group has background commands left and no epoch is waiting
     * to be closed, all at one moment: nothing was applied while it was looked at.
     */
    public boolean isQuiet() {
        long before = applied.get();
        return closer.isDone()
                && pumps.stream().noneMatch(OutboxPump::hasItems)
                && groups.stream().noneMatch(WorkingGroup::hasWork)
                && applied.get() == before;
    }

    /**
     * Works off everything without gathering, and waits for it.
     *
     * @return whether it became quiet in time; under load it may never
     */
    public boolean awaitQuiet(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        loops.forEach(loop -> loop.hurry(true));
        try {
            boolean quiet = isQuiet();
            while (!quiet
                    && System.nanoTime() < deadline
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(QUIET_POLL.toNanos());
                quiet = isQuiet();
            }
            return quiet;
        } finally {
            loops.forEach(loop -> loop.hurry(false));
        }
    }

    @Override
    public void close() {
        loops.forEach(PacedLoop::stop);
        loops.forEach(PacedLoop::close);
    }
}
