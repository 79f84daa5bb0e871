package io.dedupstore.server.raft;

import java.util.concurrent.CompletableFuture;

/** One submitted command and the reply its caller waits for. */
record Operation(byte[] command, CompletableFuture<byte[]> reply) {
    Operation(byte[] command) {
        this(command, new CompletableFuture<>());
    }

    int bytes() {
        return EntryCodec.COMMAND_HEADER_BYTES + command.length;
    }
}
