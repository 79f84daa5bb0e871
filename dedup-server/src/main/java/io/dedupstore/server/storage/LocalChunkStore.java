package io.dedupstore.server.storage;

import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.compression.CompressionException;
import io.dedupstore.core.container.ContainerException;
import io.dedupstore.core.container.RecordCodec;
import io.dedupstore.core.container.RecordHeader;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A gateway's side of writing and reading chunks: it turns chunks into records and back, and trusts
 * no node with verification. Callers wait, virtual threads or not; the disk pool works.
 *
 * <p>Appends go through one {@link AppendLane}. A read asks for the chunks of each container with
 * one call, containers beside each other, and falls back to another replica when one fails or
 * returns bytes that do not verify.
 */
public final class LocalChunkStore implements ChunkStore, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalChunkStore.class);

    private final Placement placement;
    private final DiskPool pool;
    private final AppendLane lane;

    /** The chunks that a read wants of one container, and where in the target they go. */
    private record Part(ContainerId container, List<Wanted> wanted, List<Integer> offsets) {
        Part(ContainerId container) {
            this(container, new ArrayList<>(), new ArrayList<>());
        }

        int[] slots() {
            return wanted.stream().mapToInt(w -> w.address().slot()).toArray();
        }
    }

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
        this.placement = placement;
        this.pool = pool;
        this.lane = new AppendLane(settings, placement, containerIds, clock, nonces, pool);
    }

    @Override
    public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
        return chunks.isEmpty() ? List.of() : lane.append(v, domain, List.copyOf(chunks));
    }

    @Override
    public void read(List<Wanted> chunks, ByteBuffer target) {
        Map<ContainerId, Part> parts = new LinkedHashMap<>();
        int end = target.position();
        for (Wanted chunk : chunks) {
            Part part = parts.computeIfAbsent(chunk.address().container(), Part::new);
            part.wanted().add(chunk);
            part.offsets().add(end);
            end += chunk.length();
        }
        if (end > target.limit()) {
            throw new IllegalArgumentException(
                    "chunks of %d bytes do not fit into %d"
                            .formatted(end - target.position(), target.remaining()));
        }
        List<Runnable> reads = new ArrayList<>();
        parts.values().forEach(part -> reads.add(() -> read(part, target)));
        pool.runAll(reads);
        target.position(end);
    }

    private void read(Part part, ByteBuffer target) {
        ChunkStoreException failure = null;
        for (ContainerReplica replica : placement.holding(part.container())) {
            try {
                replica.read(
                        part.container(),
                        part.slots(),
                        (index, record) -> accept(part, index, record, target));
                return;
            } catch (ChunkStoreException e) {
                if (e.code() == ChunkStoreException.Code.DAMAGED) {
                    LOG.error("{}", e.getMessage());
                }
                failure = telling(failure, e);
            }
        }
        throw failure != null
                ? failure
                : new ChunkStoreException(
                        ChunkStoreException.Code.UNAVAILABLE,
                        "no storage node has container " + part.container());
    }

    /** A freed slot is freed everywhere; a replica that may be back outweighs a damaged one. */
    private static ChunkStoreException telling(
            @Nullable ChunkStoreException before, ChunkStoreException now) {
        return before == null || rank(now.code()) > rank(before.code()) ? now : before;
    }

    private static int rank(ChunkStoreException.Code code) {
        return switch (code) {
            case GONE -> 2;
            case UNAVAILABLE -> 1;
            case DAMAGED, FULL, STALE -> 0;
        };
    }

    private static void accept(Part part, int index, ByteBuffer record, ByteBuffer target) {
        Wanted wanted = part.wanted().get(index);
        try {
            RecordCodec.Verified verified = RecordCodec.verify(record, part.container());
            require(verified.header(), wanted);
            ByteBuffer room = target.duplicate();
            room.limit(part.offsets().get(index) + wanted.length());
            room.position(part.offsets().get(index));
            ChunkCodec.ofId(verified.header().codec())
                    .decompress(verified.stored(), room, wanted.length());
        } catch (ContainerException e) {
            throw Failures.damaged(e);
        } catch (CompressionException e) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.DAMAGED,
                    "chunk at " + wanted.address() + ": " + e.getMessage(),
                    e);
        }
    }

    private static void require(RecordHeader record, Wanted wanted) {
        boolean right =
                record.slot() == wanted.address().slot()
                        && record.fingerprint().equals(wanted.fingerprint())
                        && record.length() == wanted.length();
        if (!right) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.DAMAGED,
                    "the record at %s is of slot %d and another chunk or length"
                            .formatted(wanted.address(), record.slot()));
        }
        if (record.cipher() != 0) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.UNAVAILABLE,
                    "the chunk at "
                            + wanted.address()
                            + " is encrypted, this release can't read it");
        }
    }

    /** Writes what is queued and seals the open container. */
    @Override
    public void close() {
        lane.close();
    }
}
