package io.dedupstore.server.raft;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The term and index of the last log entry whose writes a store holds: a row of the store itself,
 * written with them. Layout in docs/formats/raft-log.md.
 */
record LogPosition(long term, long index) {
    static final Table TABLE = new Table("raft", Table.Profile.SCAN);
    static final byte[] KEY = "applied".getBytes(StandardCharsets.US_ASCII);

    private static final byte VERSION = 1;
    private static final int BYTES = 1 + 2 * Long.BYTES;

    static Optional<LogPosition> read(KvReader rows) {
        byte[] row = rows.get(TABLE, KEY);
        return row == null ? Optional.empty() : Optional.of(decode(row));
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES).put(VERSION).putLong(term).putLong(index).array();
    }

    static LogPosition decode(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        byte version = row.length == 0 ? 0 : in.get();
        if (version != VERSION || row.length != BYTES) {
            throw new IllegalStateException(
                    "log position of format %d and %d bytes, this release reads format %d"
                            .formatted(version, row.length, VERSION));
        }
        return new LogPosition(in.getLong(), in.getLong());
    }
}
