package io.dedupstore.server.raft;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.state.StateMachine;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Counts how often each command was applied; a command is a number and any padding. The reply is
 * the number of commands applied so far. A negative number is a command of no machine.
 */
final class CountingMachine implements StateMachine {
    static final Table COUNTS = new Table("counts", Table.Profile.SCAN);
    private static final byte[] TOTAL = {0};

    static byte[] command(long number, int bytes) {
        return ByteBuffer.allocate(bytes).putLong(number).array();
    }

    static long total(KvReader rows) {
        return number(rows.get(COUNTS, TOTAL));
    }

    static long count(KvReader rows, long number) {
        return number(rows.get(COUNTS, key(number)));
    }

    static long number(byte[] row) {
        return row == null ? 0 : ByteBuffer.wrap(row).getLong();
    }

    @Override
    public List<Table> tables() {
        return List.of(COUNTS);
    }

    @Override
    public byte[] apply(KvTransaction rows, byte[] command) {
        long number = ByteBuffer.wrap(command).getLong();
        if (number < 0) {
            throw new IllegalArgumentException("not a command of this machine");
        }
        rows.put(COUNTS, key(number), row(count(rows, number) + 1));
        rows.put(COUNTS, TOTAL, row(total(rows) + 1));
        return row(total(rows));
    }

    @Override
    public Optional<byte[]> pendingWork(KvReader rows) {
        return Optional.empty();
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(9).put((byte) 1).putLong(number).array();
    }

    private static byte[] row(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}
