package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** A group of one replica without a log: applies at once, and can lose requests and answers. */
final class TestGroup implements ReplicatedGroup {
    private static final int MAX_ROWS = 4096;

    private final MetadataStateMachine machine;
    private final MemoryKvStore store;
    private final List<byte[]> log = new ArrayList<>();
    private int lostRequests;
    private int lostAnswers;
    private int mostRows;
    private int submits;

    TestGroup(MetadataStateMachine machine) {
        this.machine = machine;
        this.store = new MemoryKvStore(machine.tables());
    }

    void loseRequests(int count) {
        lostRequests = count;
    }

    void loseAnswers(int count) {
        lostAnswers = count;
    }

    int submits() {
        return submits;
    }

    /** The most rows that one command has read and written. */
    int mostRows() {
        return mostRows;
    }

    List<byte[]> log() {
        return log;
    }

    MemoryKvStore store() {
        return store;
    }

    @Override
    public byte[] submit(byte[] command) {
        submits++;
        if (lostRequests > 0) {
            lostRequests--;
            throw new ReplicationException(ReplicationException.Code.UNKNOWN, "request lost");
        }
        byte[] reply = apply(command);
        if (lostAnswers > 0) {
            lostAnswers--;
            throw new ReplicationException(ReplicationException.Code.UNKNOWN, "answer lost");
        }
        return reply;
    }

    private byte[] apply(byte[] command) {
        log.add(command);
        CountingReader reader = new CountingReader(store);
        KvTransaction rows = new KvTransaction(reader);
        byte[] reply = machine.apply(rows, command);
        int touched = reader.rows() + rows.writeCount();
        mostRows = Math.max(mostRows, touched);
        if (touched > MAX_ROWS) {
            throw new AssertionError("a command touched " + touched + " rows");
        }
        store.write(rows.toBatch());
        return reply;
    }

    @Override
    public <T> T read(Function<KvReader, T> query) {
        return query.apply(store);
    }

    @Override
    public <T> T readLocal(Function<KvReader, T> query) {
        return query.apply(store);
    }

    /** One step of background work; false when there is none. */
    boolean work() {
        Optional<byte[]> next = machine.pendingWork(store);
        next.ifPresent(this::apply);
        return next.isPresent();
    }

    /** As {@link #work()}, as release 1 did it. */
    void oldWork() {
        MetadataCommand.Work next =
                (MetadataCommand.Work)
                        CommandDecoder.decode(machine.pendingWork(store).orElseThrow());
        apply(CommandEncoder.encode(new MetadataCommand.Work(next.shard(), WorkSize.UNSAID)));
    }

    void workAll() {
        int steps = 0;
        while (work()) {
            steps++;
            if (steps > 100_000) {
                throw new AssertionError("background work does not end");
            }
        }
    }

    /** All rows of all tables, as text. */
    Map<String, String> rows() {
        Map<String, String> rows = new TreeMap<>();
        HexFormat hex = HexFormat.of();
        for (Table table : machine.tables()) {
            try (KvCursor cursor = store.scan(table, new byte[0], null)) {
                while (cursor.next()) {
                    rows.put(
                            table.name() + "/" + hex.formatHex(cursor.key()),
                            hex.formatHex(cursor.value()));
                }
            }
        }
        return rows;
    }
}
