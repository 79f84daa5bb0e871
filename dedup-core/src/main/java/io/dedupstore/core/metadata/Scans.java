package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Short runs of rows. */
final class Scans {
    private Scans() {}

    record Row(byte[] key, byte[] value) {}

    /**
     * The first rows from {@code from} on that start with {@code prefix}, at most {@code limit}.
     */
    static List<Row> run(KvReader rows, Table table, byte[] prefix, byte[] from, int limit) {
        List<Row> run = new ArrayList<>();
        try (KvCursor cursor = rows.scan(table, from, Bytes.successorOfPrefix(prefix))) {
            while (run.size() < limit && cursor.next()) {
                run.add(new Row(cursor.key(), cursor.value()));
            }
        }
        return run;
    }

    static List<Row> first(KvReader rows, Table table, byte[] prefix, int limit) {
        return run(rows, table, prefix, prefix, limit);
    }
}
