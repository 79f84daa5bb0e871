package io.dedupstore.server.raft;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One submitted command and the reply its caller waits for.
 *
 * @param leftNanos when a command that can wait left; 0 before, and for all others
 */
record Operation(byte[] command, CompletableFuture<byte[]> reply, AtomicLong leftNanos) {
    Operation(byte[] command) {
        this(command, new CompletableFuture<>(), new AtomicLong());
    }

    int bytes() {
        return EntryCodec.COMMAND_HEADER_BYTES + command.length;
    }
}
