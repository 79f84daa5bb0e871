package io.dedupstore.server.storage;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A gateway's side of writing and reading chunks. */
public final class LocalChunkStore implements ChunkStore, AutoCloseable {
    /**
     * @param containerIds allocates containers; may block
     * @param nonces a secure source
     */
    public LocalChunkStore(
            StorageSettings settings,
            Placement placement,
            Supplier<ContainerId> containerIds,
            InstantSource clock,
            RandomGenerator nonces,
            DiskPool pool) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void read(List<Wanted> chunks, ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    /** Seals what is open. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
