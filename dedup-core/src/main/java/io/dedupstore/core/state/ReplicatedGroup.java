package io.dedupstore.core.state;

import io.dedupstore.core.kv.KvReader;
import java.util.function.Function;

/**
 * One Raft group as its users see it. Blocking; any number of threads, virtual ones too (the store
 * is entered on the {@code kv} pool). Implementations merge commands that arrive together into one
 * entry.
 */
public interface ReplicatedGroup {
    /**
     * Returns the reply of {@link StateMachine#apply} once the command is committed and applied.
     *
     * @throws ReplicationException the outcome is unknown unless the code says otherwise
     */
    byte[] submit(byte[] command);

    /** A linearizable read: sees everything that was acknowledged before the call. */
    <T> T read(Function<KvReader, T> query);

    /** A read of whatever this replica has applied: a hint. */
    <T> T readLocal(Function<KvReader, T> query);
}
