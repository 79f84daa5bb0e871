package io.dedupstore.server.s3.operation;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.StateMachine;
import java.util.Optional;
import java.util.function.Function;

/** A group of one replica without a log. */
final class LocalGroup implements ReplicatedGroup {
    private final StateMachine machine;
    private final MemoryKvStore store;

    LocalGroup(StateMachine machine) {
        this.machine = machine;
        this.store = new MemoryKvStore(machine.tables());
    }

    @Override
    public synchronized byte[] submit(byte[] command) {
        byte[] reply = apply(command);
        Optional<byte[]> work = machine.pendingWork(store);
        while (work.isPresent()) {
            apply(work.get());
            work = machine.pendingWork(store);
        }
        return reply;
    }

    private byte[] apply(byte[] command) {
        KvTransaction rows = new KvTransaction(store);
        byte[] reply = machine.apply(rows, command);
        store.write(rows.toBatch());
        return reply;
    }

    @Override
    public synchronized <T> T read(Function<KvReader, T> query) {
        return query.apply(store);
    }

    @Override
    public <T> T readLocal(Function<KvReader, T> query) {
        return read(query);
    }
}
