package io.dedupstore.server.raft;

import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.state.StateMachine;
import java.nio.charset.StandardCharsets;
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
        byte[] seed = ("dedupstore/" + name).getBytes(StandardCharsets.UTF_8);
        return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(seed));
    }
}
