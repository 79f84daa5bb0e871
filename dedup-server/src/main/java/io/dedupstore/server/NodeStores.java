package io.dedupstore.server;

import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.kv.RocksKvStore;
import io.dedupstore.core.kv.RocksResources;
import io.dedupstore.core.kv.StoreLimits;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.kv.TableFiles;
import io.dedupstore.core.kv.WriteMode;
import io.dedupstore.core.state.StateMachine;
import io.dedupstore.server.raft.GroupSpec;
import io.dedupstore.server.raft.RaftGroup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The RocksDB stores of a process; they share one cache. Those of the groups are closed here. */
final class NodeStores implements AutoCloseable {
    private final RocksResources resources;
    private final List<KvStore> opened = new ArrayList<>();
    private final Map<String, TableFiles> files = new HashMap<>();

    NodeStores(StoreLimits limits) {
        this.resources = new RocksResources(limits);
    }

    /** The store of a Raft group, without a log of its own: the Raft log is the log. */
    GroupSpec group(String name, Path directory, StateMachine machine) {
        List<Table> tables = new ArrayList<>(machine.tables());
        tables.add(RaftGroup.POSITION_TABLE);
        RocksKvStore store = RocksKvStore.open(directory, tables, resources, WriteMode.UNLOGGED);
        opened.add(store);
        files.put(name, store.files());
        return new GroupSpec(name, machine, store);
    }

    /** The files of a group's store. */
    TableFiles files(String group) {
        return Objects.requireNonNull(files.get(group), "no group " + group);
    }

    /** The store of a drive's slot states, durable by itself; the storage node closes it. */
    KvStore drive(Path directory, List<Table> tables) {
        return RocksKvStore.open(directory, tables, resources, WriteMode.SYNCED);
    }

    /** Memory of caches and memtables in use. */
    long usedBytes() {
        return resources.usedBytes();
    }

    @Override
    public void close() {
        opened.reversed().forEach(KvStore::close);
        opened.clear();
        resources.close();
    }
}
