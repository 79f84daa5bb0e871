package io.dedupstore.core.control;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A control group of one replica that applies at once, and a client of it. */
final class ControlFixture implements ReplicatedGroup {
    static final byte[] MASTER_KEY =
            HexFormat.of()
                    .parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    static final InstantSource CLOCK =
            InstantSource.fixed(Instant.ofEpochMilli(1_700_000_000_000L));
    static final String ROOT_KEY = "ROOTKEY";
    static final String ROOT_SECRET = "root secret that nobody may see";

    private final ControlStateMachine machine = new ControlStateMachine();
    final MemoryKvStore store = new MemoryKvStore(machine.tables());
    final List<byte[]> log = new ArrayList<>();
    ReplicationException.@Nullable Code failNext;
    boolean loseAnswer;

    /** A client of a cluster with this many index and metadata shards, just made. */
    static ControlClient clusterOf(ControlFixture group, int index, int metadata) {
        ControlClient client = group.client();
        client.bootstrap(new Bootstrap(new ClusterLayout(index, metadata), ROOT_KEY, ROOT_SECRET));
        return client;
    }

    ControlClient client() {
        return client(MASTER_KEY);
    }

    ControlClient client(byte[] masterKey) {
        return new ControlClient(this, new SecretCipher(masterKey), CLOCK, new Random(1));
    }

    @Override
    public byte[] submit(byte[] command) {
        ReplicationException.Code code = failNext;
        failNext = null;
        if (code != null && !loseAnswer) {
            throw new ReplicationException(code, "lost");
        }
        log.add(command);
        KvTransaction rows = new KvTransaction(store);
        byte[] reply = machine.apply(rows, command);
        store.write(rows.toBatch());
        if (code != null) {
            throw new ReplicationException(code, "answer lost");
        }
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

    /** Every row, key and value in hexadecimal, in order. */
    List<String> rows() {
        List<String> rows = new ArrayList<>();
        try (KvCursor cursor = store.scan(ControlRows.TABLE, new byte[0], null)) {
            while (cursor.next()) {
                rows.add(
                        HexFormat.of().formatHex(cursor.key())
                                + " "
                                + HexFormat.of().formatHex(cursor.value()));
            }
        }
        return rows;
    }
}
