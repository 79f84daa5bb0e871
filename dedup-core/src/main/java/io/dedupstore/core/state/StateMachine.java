package io.dedupstore.core.state;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import java.util.List;
import java.util.Optional;

/**
 * A deterministic state machine over an ordered store, run by one Raft group. The same commands in
 * the same order give the same rows and replies on every replica; whatever is not in the command or
 * the rows (time, ids, randomness) was decided before the log.
 *
 * <p>Threads: {@link #apply} is called by one thread, in log order. Implementations keep no state
 * outside the rows, except caches that can be dropped at any time.
 */
public interface StateMachine {
    /** Every table that {@link #apply} may touch. */
    List<Table> tables();

    /**
     * Applies one command. Touches at most 4,096 rows; larger work goes on from a durable cursor by
     * later commands.
     *
     * @param rows the state; writes become durable with the log position of the entry
     * @return the reply, encoded. A command that is refused is answered, not thrown
     * @throws RuntimeException only when the store fails or the command is not one of this
     *     machine's: the group halts
     */
    byte[] apply(KvTransaction rows, byte[] command);

    /**
     * A command that continues background work left in durable cursors (releases, settling,
     * collection), if there is any. The leader proposes it again until there is none.
     */
    Optional<byte[]> pendingWork(KvReader rows);
}
