package io.dedupstore.server.cluster;

import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.StateMachine;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A group whose machine has background commands.
 *
 * @param listen registers what is called after each applied entry, on the applying thread
 */
public record WorkingGroup(
        String name, StateMachine machine, ReplicatedGroup group, Consumer<Runnable> listen) {
    private Optional<byte[]> pending() {
        return group.readLocal(machine::pendingWork);
    }

    boolean hasWork() {
        return pending().isPresent();
    }

    /** Proposes the next background command. Returns whether there was one. */
    boolean work() {
        Optional<byte[]> command = pending();
        command.ifPresent(group::submit);
        return command.isPresent();
    }
}
