package io.dedupstore.core.sim;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.state.StateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A machine with a bug planted around it: what it is told is changed before, or its rows behind. It
 * keeps nothing outside the rows either.
 */
class Altered implements StateMachine {
    private final StateMachine machine;

    Altered(StateMachine machine) {
        this.machine = machine;
    }

    /** The command that the machine is given in place of this one. */
    byte[] alter(KvTransaction rows, byte[] command) {
        return command;
    }

    @Override
    public final List<Table> tables() {
        return machine.tables();
    }

    @Override
    public byte[] apply(KvTransaction rows, byte[] command) {
        return machine.apply(rows, alter(rows, command));
    }

    @Override
    public final Optional<byte[]> pendingWork(KvReader rows) {
        return machine.pendingWork(rows);
    }

    interface RowTest {
        boolean test(byte[] key, byte[] value);
    }

    static void deleteWhere(KvTransaction rows, Table table, byte[] prefix, RowTest test) {
        List<byte[]> doomed = new ArrayList<>();
        byte[] end = prefix.length == 0 ? null : Bytes.successorOfPrefix(prefix);
        try (KvCursor cursor = rows.scan(table, prefix, end)) {
            while (cursor.next()) {
                if (test.test(cursor.key(), cursor.value())) {
                    doomed.add(cursor.key());
                }
            }
        }
        doomed.forEach(key -> rows.delete(table, key));
    }
}
