package io.dedupstore.server.cluster;

import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.StateMachine;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A group whose machine has background commands.
 *
 * @param group for commands that can wait
 * @param listen registers what is called after each applied entry, on the applying thread
 * @param gate asked before each command; while it says no, work stays where it is
 */
public record WorkingGroup(
        String name,
        StateMachine machine,
        ReplicatedGroup group,
        Consumer<Runnable> listen,
        BooleanSupplier gate) {
    /** Nothing holds its work back. */
    public WorkingGroup(
            String name, StateMachine machine, ReplicatedGroup group, Consumer<Runnable> listen) {
        this(name, machine, group, listen, () -> true);
    }

    private Optional<byte[]> pending() {
        return group.readLocal(machine::pendingWork);
    }

    boolean hasWork() {
        return pending().isPresent();
    }

    /** Proposes the next background command. Returns whether there was one that may go. */
    boolean work() {
        if (!gate.getAsBoolean()) {
            return false;
        }
        Optional<byte[]> command = pending();
        command.ifPresent(group::submit);
        return command.isPresent();
    }
}
