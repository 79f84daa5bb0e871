package io.dedupstore.server.cluster;

import io.dedupstore.core.maintenance.EpochCloser;
import io.dedupstore.core.maintenance.OutboxPump;
import io.dedupstore.server.raft.RaftGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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

    private final List<OutboxPump> pumps;
    private final List<RaftGroup> groups;
    private final List<PacedLoop> loops = new ArrayList<>();

    /**
     * @param groups whose machines have background commands
     */
    public BackgroundWork(List<OutboxPump> pumps, List<RaftGroup> groups, EpochCloser closer) {
        this.pumps = List.copyOf(pumps);
        this.groups = List.copyOf(groups);
        for (int i = 0; i < pumps.size(); i++) {
            loops.add(new PacedLoop("outbox-" + i, pumps.get(i)::step, OUTBOX_GATHER, IDLE));
        }
        for (RaftGroup group : groups) {
            loops.add(new PacedLoop("work-" + group.name(), () -> work(group), WORK_GATHER, IDLE));
        }
        loops.add(new PacedLoop("epochs", closer::step, EPOCH_GATHER, IDLE));
    }

    public void start() {
        groups.forEach(group -> group.onApplied(() -> loops.forEach(PacedLoop::wake)));
        loops.forEach(PacedLoop::start);
    }

    private static boolean work(RaftGroup group) {
        byte[] command = group.readLocal(group.machine()::pendingWork).orElse(null);
        if (command == null) {
            return false;
        }
        group.submit(command);
        return true;
    }

    /** Whether every outbox is empty and no group has background commands left. */
    public boolean isQuiet() {
        return pumps.stream().noneMatch(OutboxPump::hasItems)
                && groups.stream()
                        .allMatch(group -> group.readLocal(group.machine()::pendingWork).isEmpty());
    }

    @Override
    public void close() {
        loops.forEach(PacedLoop::close);
    }
}
