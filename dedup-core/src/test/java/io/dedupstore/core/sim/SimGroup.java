package io.dedupstore.core.sim;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import io.dedupstore.core.state.StateMachine;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** A production state machine behind the simulated network. */
final class SimGroup implements ReplicatedGroup {
    private final StateMachine machine;
    private final Network network;
    private Rows store = Rows.NONE;
    private long entries;

    SimGroup(StateMachine machine, Network network) {
        this.machine = machine;
        this.network = network;
    }

    long entries() {
        return entries;
    }

    @Override
    public byte[] submit(byte[] command) {
        return network.call(
                () -> apply(command),
                () -> new ReplicationException(ReplicationException.Code.UNKNOWN, "no answer"));
    }

    private byte[] apply(byte[] command) {
        entries++;
        KvTransaction rows = new KvTransaction(store);
        byte[] reply = machine.apply(rows, command);
        store = store.with(rows.toBatch());
        return reply;
    }

    /** One step of background work; false when there is none. */
    boolean work() {
        Optional<byte[]> command = machine.pendingWork(store);
        command.ifPresent(this::apply);
        return command.isPresent();
    }

    /** Changes rows behind the machine's back, as planted bugs do. */
    void change(Consumer<KvTransaction> change) {
        KvTransaction rows = new KvTransaction(store);
        change.accept(rows);
        store = store.with(rows.toBatch());
    }

    @Override
    public <T> T read(Function<KvReader, T> query) {
        return query.apply(store);
    }

    @Override
    public <T> T readLocal(Function<KvReader, T> query) {
        return query.apply(store);
    }
}
