package io.dedupstore.core.sim;

import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.state.StateMachine;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A production state machine as a table: what it makes of a command in a state is worked out once
 * and looked up ever after. States and commands are numbers. Of all states of a whole cluster each
 * machine sees only a small part, so that the machine itself is hardly ever what takes time.
 */
final class Machine {
    static final int NONE = -1;

    private final StateMachine machine;
    private final Numbered<ByteBuffer> commands;
    private final Numbered<Rows> states = new Numbered<>();
    private final LongMap results = new LongMap();
    private final LongMap pending = new LongMap();

    /**
     * @param commands shared by all machines, and of replies as well
     */
    Machine(StateMachine machine, Numbered<ByteBuffer> commands) {
        this.machine = machine;
        this.commands = commands;
        states.of(Rows.NONE);
    }

    Rows rows(int state) {
        return states.get(state);
    }

    /** How many states it has been in. */
    int states() {
        return states.size();
    }

    /** How many commands it has really applied. */
    int applied() {
        return results.size();
    }

    /** The state behind a command in the upper half, the reply in the lower. */
    long apply(int state, int command) {
        long key = (long) state << 32 | command;
        long known = results.get(key);
        if (known != LongMap.ABSENT) {
            return known;
        }
        KvTransaction rows = new KvTransaction(rows(state));
        byte[] reply = machine.apply(rows, commands.get(command).array().clone());
        long result =
                (long) states.of(rows(state).with(rows.toBatch())) << 32
                        | commands.of(ByteBuffer.wrap(reply));
        results.putIfAbsent(key, result);
        return result;
    }

    /** A command that goes on with background work, or {@link #NONE}. */
    int pendingWork(int state) {
        long known = pending.get(state);
        if (known == LongMap.ABSENT) {
            Optional<byte[]> work = machine.pendingWork(rows(state));
            known = work.map(bytes -> commands.of(ByteBuffer.wrap(bytes))).orElse(NONE) + 1;
            pending.putIfAbsent(state, known);
        }
        return (int) known - 1;
    }

    /** The state behind a step of background work, which there must be. */
    int work(int state) {
        int command = pendingWork(state);
        if (command == NONE) {
            throw new IllegalStateException("there is no work left in state " + state);
        }
        return (int) (apply(state, command) >>> 32);
    }
}
