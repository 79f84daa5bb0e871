package io.dedupstore.server.raft;

import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.state.StateMachine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroupId;

/**
 * A group to run.
 *
 * @param name fixed for the life of the cluster; names the log's directory
 * @param store with the tables of {@code machine} and {@link RaftGroup#POSITION_TABLE}; written by
 *     the group alone, closed by its owner after the host
 */
public record GroupSpec(String name, StateMachine machine, KvStore store) {
    public GroupSpec {
        if (!name.matches("[a-z][a-z0-9-]{0,31}")) {
            throw new IllegalArgumentException("bad group name " + name);
        }
    }

    RaftGroupId id() {
        return RaftGroupId.valueOf(uuid(name));
    }

    /** Where the log of a group is, below the directory of all logs. */
    public static Path directory(Path logs, String name) {
        return logs.resolve(uuid(name).toString());
    }

    private static UUID uuid(String name) {
        byte[] seed = ("dedupstore/" + name).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(seed);
    }
}
