package io.dedupstore.server.raft;

import io.dedupstore.core.state.ReplicationException;
import java.util.List;

/** Operations that travel as one log entry. */
record Entry(List<Operation> operations) {
    Entry {
        operations = List.copyOf(operations);
    }

    byte[] encode() {
        return EntryCodec.encode(operations.stream().map(Operation::command).toList());
    }

    /** Answers every operation; called once the writes of all of them are in the store. */
    void complete(List<byte[]> replies) {
        for (int i = 0; i < operations.size(); i++) {
            operations.get(i).reply().complete(replies.get(i));
        }
    }

    /** Fails what has not been answered. */
    void fail(ReplicationException failure) {
        for (Operation operation : operations) {
            operation.reply().completeExceptionally(failure);
        }
    }
}
