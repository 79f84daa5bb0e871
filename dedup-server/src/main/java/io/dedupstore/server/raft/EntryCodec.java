package io.dedupstore.server.raft;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of one log entry: commands of one state machine, applied in order as one batch.
 * Layout in docs/formats/raft-log.md.
 */
final class EntryCodec {
    static final byte VERSION = 1;
    static final int HEADER_BYTES = 1 + Integer.BYTES;
    static final int COMMAND_HEADER_BYTES = Integer.BYTES;

    private EntryCodec() {}

    static byte[] encode(List<byte[]> commands) {
        int length = HEADER_BYTES;
        for (byte[] command : commands) {
            length += COMMAND_HEADER_BYTES + command.length;
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        out.put(VERSION).putInt(commands.size());
        for (byte[] command : commands) {
            out.putInt(command.length).put(command);
        }
        return out.array();
    }

    /**
     * @throws IllegalStateException a later release wrote the entry, or it is damaged
     */
    static List<byte[]> decode(ByteBuffer in) {
        if (in.remaining() < HEADER_BYTES) {
            throw new IllegalStateException("a log entry of " + in.remaining() + " bytes");
        }
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "log entry of format %d, this release reads %d: run the release that wrote it"
                            .formatted(version, VERSION));
        }
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / COMMAND_HEADER_BYTES) {
            throw new IllegalStateException("a log entry of " + count + " commands");
        }
        List<byte[]> commands = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            commands.add(command(in));
        }
        if (in.hasRemaining()) {
            throw new IllegalStateException(in.remaining() + " stray bytes in a log entry");
        }
        return commands;
    }

    private static byte[] command(ByteBuffer in) {
        int length = in.remaining() < COMMAND_HEADER_BYTES ? -1 : in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalStateException("a command of " + length + " bytes in a log entry");
        }
        byte[] command = new byte[length];
        in.get(command);
        return command;
    }
}
