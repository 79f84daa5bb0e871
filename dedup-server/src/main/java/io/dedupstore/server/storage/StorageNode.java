package io.dedupstore.server.storage;

import io.dedupstore.core.container.ContainerHeader;
import io.dedupstore.core.io.Disk;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.spi.ContainerNode;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A storage node: containers on one or more drives. */
public final class StorageNode implements ContainerNode, ContainerReplica, AutoCloseable {
    /**
     * Opens the drives, recovers containers that were left open and seals them.
     *
     * @param requiredShards whose {@code Closed} together make unadopted slots garbage
     * @param messages decodes what {@link #deliver} is given
     */
    public static StorageNode open(
            StorageSettings settings,
            Set<ShardId> requiredShards,
            Disk disk,
            KvStores stores,
            Function<byte[], StorageMessage> messages,
            InstantSource clock,
            DiskPool pool) {
        throw new UnsupportedOperationException();
    }

    /** Starts the thread that deletes and compacts containers. */
    public void startMaintenance() {
        throw new UnsupportedOperationException();
    }

    public StorageStatistics statistics() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long deliver(
            ContainerId container, ShardId source, long firstSequence, List<byte[]> messages) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void refuseEpoch(int epoch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ContainerId> containersWithOrphans(int epoch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void open(ContainerHeader header) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> append(ContainerId container, long offset, ByteBuffer records) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void seal(ContainerId container, int slots) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void read(ContainerId container, int[] slots, RecordSink sink) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
