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
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStoreException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
    private volatile Consumer<Wanted> damage = chunk -> {};

    /** The chunks that a read wants of one container, and where each of them goes. */
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

    /**
     * Has chunks told to {@code listener} whose bytes some replica cannot give.
     *
     * @param listener called on threads of the disk pool; must not block
     */
    public void onDamage(Consumer<Wanted> listener) {
        damage = listener;
    }

    @Override
    public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
        return chunks.isEmpty() ? List.of() : lane.append(v, domain, List.copyOf(chunks));
    }

    @Override
    public List<ChunkAddress> copy(V v, List<Wanted> chunks) {
        Stored[] copies = new Stored[chunks.size()];
        Map<ContainerId, Part> parts = new LinkedHashMap<>();
        for (int i = 0; i < copies.length; i++) {
            Part part = parts.computeIfAbsent(chunks.get(i).address().container(), Part::new);
            part.wanted().add(chunks.get(i));
            part.offsets().add(i);
        }
        List<Runnable> reads = new ArrayList<>();
        for (Part part : parts.values()) {
            reads.add(
                    () ->
                            read(
                                    part,
                                    (index, record) ->
                                            copies[part.offsets().get(index)] =
                                                    stored(part, index, record)));
        }
        pool.runAll(reads);
        return append(v, copies);
    }

    @Override
    public boolean heal(ChunkAddress damaged, Wanted whole) {
        Part part = new Part(whole.address().container());
        part.wanted().add(whole);
        part.offsets().add(0);
        Stored[] read = new Stored[1];
        pool.run(() -> read(part, (index, record) -> read[0] = stored(part, index, record)));
        NewChunk chunk = read[0].chunk();
        ContainerReplica.Whole bytes =
                new ContainerReplica.Whole(
                        read[0].domain(),
                        chunk.fingerprint(),
                        chunk.codec(),
                        chunk.cipher(),
                        chunk.keyVersion(),
                        chunk.length(),
                        chunk.stored());
        return pool.call(
                () -> {
                    boolean healed = false;
                    for (ContainerReplica replica : placement.holding(damaged.container())) {
                        healed |= replica.heal(damaged.container(), damaged.slot(), bytes);
                    }
                    return healed;
                });
    }

    /** A record's own, in memory. */
    private record Stored(DomainId domain, NewChunk chunk) {}

    private static Stored stored(Part part, int index, ByteBuffer record) {
        RecordCodec.Verified verified = verified(part, index, record);
        RecordHeader header = verified.header();
        ByteBuffer bytes = ByteBuffer.allocate(header.storedLength());
        bytes.put(verified.stored()).flip();
        return new Stored(
                header.domain(),
                new NewChunk(
                        header.fingerprint(),
                        header.codec(),
                        header.cipher(),
                        header.keyVersion(),
                        header.length(),
                        bytes));
    }

    /** Chunks of one domain after the other, in the order given. */
    private List<ChunkAddress> append(V v, Stored[] copies) {
        ChunkAddress[] addresses = new ChunkAddress[copies.length];
        Map<DomainId, List<Integer>> byDomain = new LinkedHashMap<>();
        for (int i = 0; i < copies.length; i++) {
            byDomain.computeIfAbsent(copies[i].domain(), d -> new ArrayList<>()).add(i);
        }
        byDomain.forEach(
                (domain, places) -> {
                    List<NewChunk> chunks = places.stream().map(i -> copies[i].chunk()).toList();
                    List<ChunkAddress> appended = append(v, domain, chunks);
                    for (int i = 0; i < appended.size(); i++) {
                        addresses[places.get(i)] = appended.get(i);
                    }
                });
        return List.of(addresses);
    }

    @Override
    public void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener) {
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
        parts.values()
                .forEach(
                        part ->
                                reads.add(
                                        () ->
                                                read(
                                                        part,
                                                        (index, record) ->
                                                                accept(
                                                                        part, index, record, target,
                                                                        opener))));
        pool.runAll(reads);
        target.position(end);
    }

    private void read(Part part, ContainerReplica.RecordSink sink) {
        ChunkStoreException failure = null;
        for (ContainerReplica replica : placement.holding(part.container())) {
            try {
                replica.read(part.container(), part.slots(), telling(part, sink));
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

    /** Tells whose record it is that the sink finds damaged. */
    private ContainerReplica.RecordSink telling(Part part, ContainerReplica.RecordSink sink) {
        return (index, record) -> {
            try {
                sink.accept(index, record);
            } catch (ChunkStoreException e) {
                if (e.code() == ChunkStoreException.Code.DAMAGED) {
                    damage.accept(part.wanted().get(index));
                }
                throw e;
            }
        };
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

    private static void accept(
            Part part, int index, ByteBuffer record, ByteBuffer target, ChunkOpener opener) {
        Wanted wanted = part.wanted().get(index);
        RecordCodec.Verified verified = verified(part, index, record);
        try {
            ByteBuffer room = target.duplicate();
            room.limit(part.offsets().get(index) + wanted.length());
            room.position(part.offsets().get(index));
            ChunkCodec.ofId(verified.header().codec())
                    .decompress(opened(verified, opener), room, wanted.length());
        } catch (CompressionException e) {
            throw new ChunkStoreException(
                    ChunkStoreException.Code.DAMAGED,
                    "chunk at " + wanted.address() + ": " + e.getMessage(),
                    e);
        }
    }

    private static ByteBuffer opened(RecordCodec.Verified record, ChunkOpener opener) {
        RecordHeader header = record.header();
        return header.cipher() == 0
                ? record.stored()
                : opener.open(
                        new ChunkOpener.Sealed(
                                header.cipher(),
                                header.domain(),
                                header.keyVersion(),
                                header.fingerprint(),
                                header.codec(),
                                header.length(),
                                record.stored()));
    }

    private static RecordCodec.Verified verified(Part part, int index, ByteBuffer record) {
        try {
            RecordCodec.Verified verified = RecordCodec.verify(record, part.container());
            require(verified.header(), part.wanted().get(index));
            return verified;
        } catch (ContainerException e) {
            throw Failures.damaged(e);
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
    }

    /** Writes what is queued and seals the open container. */
    @Override
    public void close() {
        lane.close();
    }
}
