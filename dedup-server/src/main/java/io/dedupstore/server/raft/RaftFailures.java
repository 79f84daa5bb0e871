package io.dedupstore.server.raft;

import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.ReplicationException.Code;
import java.util.concurrent.CompletionException;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;

/** What a failure of Ratis says about the command. */
final class RaftFailures {
    private RaftFailures() {}

    static ReplicationException toReplicationException(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof ReplicationException known) {
            return known;
        }
        return new ReplicationException(code(cause), "no reply from the group: " + cause, cause);
    }

    /** Only refusals that Ratis makes before it appends are certain; not even NotLeader is one. */
    private static Code code(Throwable cause) {
        boolean refused =
                cause instanceof LeaderNotReadyException
                        || cause instanceof ServerNotReadyException
                        || cause instanceof ResourceUnavailableException;
        return refused ? Code.NOT_ACCEPTED : Code.UNKNOWN;
    }
}
