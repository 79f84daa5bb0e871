package io.dedupstore.server.raft;

import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.RocksKvStore;
import io.dedupstore.core.kv.RocksResources;
import io.dedupstore.core.kv.StoreLimits;
import io.dedupstore.core.kv.WriteMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/** A process's Raft side on a directory: one counting group over RocksDB. */
final class TestNode implements AutoCloseable {
    static final String GROUP = "counting";

    private final RocksResources resources = new RocksResources(StoreLimits.DEFAULT);
    private final WorkerPool kv = new WorkerPool("kv", 2);
    private final RocksKvStore store;
    final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    final RaftHost host;

    static RaftOptions options(Path directory) {
        // Nodes of one JVM must differ in name, or their metrics collide.
        String peer = "n" + Integer.toHexString(directory.hashCode());
        return RaftOptions.embedded(directory.resolve("raft"), peer).withDiskWatermarks(0, 0);
    }

    TestNode(Path directory) throws IOException {
        this(directory, options(directory), UnaryOperator.identity());
    }

    TestNode(Path directory, RaftOptions options, UnaryOperator<KvStore> wrap) throws IOException {
        this.store =
                RocksKvStore.open(
                        directory.resolve("store"),
                        List.of(CountingMachine.COUNTS, RaftGroup.POSITION_TABLE),
                        resources,
                        WriteMode.UNLOGGED);
        try {
            this.host =
                    RaftHost.start(
                            options,
                            List.of(new GroupSpec(GROUP, new CountingMachine(), wrap.apply(store))),
                            kv,
                            failures::add);
        } catch (IOException | RuntimeException e) {
            closeStore();
            throw e;
        }
    }

    RaftGroup group() {
        return host.group(GROUP);
    }

    long submit(long number) {
        return CountingMachine.number(group().submit(CountingMachine.command(number, 8)));
    }

    long total() {
        return group().read(CountingMachine::total);
    }

    @Override
    public void close() {
        host.close();
        closeStore();
    }

    private void closeStore() {
        store.close();
        resources.close();
        kv.close();
    }
}
