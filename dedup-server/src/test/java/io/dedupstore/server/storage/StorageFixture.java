package io.dedupstore.server.storage;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore.NewChunk;
import io.dedupstore.core.spi.ChunkStore.Wanted;
import io.dedupstore.core.spi.ChunkStoreException;
import io.dedupstore.core.state.MessageCodec;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** A storage node and a gateway's chunk store on a disk that can crash; survives restarts. */
final class StorageFixture implements AutoCloseable {
    static final ShardId INDEX = ShardId.index(0);
    static final ShardId METADATA = ShardId.metadata(0);
    static final Duration GRACE = Duration.ofMinutes(10);
    static final DomainId DOMAIN = new DomainId(1);
    static final V V1 = new V(1, 1, 0);

    final TestClock clock = new TestClock();
    final Map<Path, DurableKv> stores = new HashMap<>();
    final AtomicLong nextContainer = new AtomicLong(1);
    final Map<ShardId, Map<ContainerId, Long>> sequences = new HashMap<>();
    private final int drives;
    private final AtRestChecksum checksum;
    FaultyDisk disk = new FaultyDisk();
    StorageSettings settings;
    DiskPool pool;
    StorageNode node;
    LocalChunkStore store;

    StorageFixture() {
        this(1);
    }

    StorageFixture(int drives) {
        this(drives, AtRestChecksum.CRC32C);
    }

    StorageFixture(int drives, AtRestChecksum checksum) {
        this.drives = drives;
        this.checksum = checksum;
        start();
    }

    private StorageSettings newSettings() {
        List<Path> directories = new ArrayList<>();
        for (int i = 0; i < drives; i++) {
            directories.add(Path.of("/drives/" + i));
        }
        return new StorageSettings(
                directories,
                1 << 20,
                checksum,
                StorageSettings.Durability.FSYNC,
                0,
                GRACE,
                50,
                1L << 40,
                1L << 40,
                Duration.ZERO,
                Duration.ofSeconds(1),
                1 << 20,
                8,
                4,
                64);
    }

    void start() {
        settings = newSettings();
        pool = new DiskPool(settings.diskThreads(), settings.maxQueuedCalls());
        node =
                StorageNode.open(
                        settings,
                        Set.of(INDEX, METADATA),
                        disk,
                        this::openStore,
                        MessageCodec::decodeStorage,
                        clock,
                        pool);
        store = newStore();
    }

    LocalChunkStore newStore() {
        return new LocalChunkStore(
                settings,
                Placement.onAll(List.of(node)),
                () -> new ContainerId(nextContainer.getAndIncrement()),
                clock,
                new Random(nextContainer.get()),
                pool);
    }

    private DurableKv openStore(Path directory, List<Table> tables) {
        return stores.computeIfAbsent(directory, d -> new DurableKv(tables, disk));
    }

    @Override
    public void close() {
        store.close();
        node.close();
        pool.close();
    }

    void restart() {
        close();
        start();
    }

    /** Power fails and comes back; what the old process still does reaches nothing. */
    void crash(long seed) {
        FaultyDisk after = disk.crash(seed);
        disk.dieAfter(0);
        disk.hook((operation, path) -> {});
        close();
        disk = after;
        stores.replaceAll((path, kv) -> kv.movedTo(after));
        start();
    }

    // ---- chunks ----

    static byte[] bytes(int n, int length) {
        byte[] bytes = new byte[length];
        new Random(n).nextBytes(bytes);
        return bytes;
    }

    static Fingerprint fingerprint(int n) {
        return new Fingerprint(n * 0x9e3779b97f4a7c15L, 1, 2, n);
    }

    static NewChunk chunk(int n, int length) {
        return new NewChunk(fingerprint(n), 0, length, ByteBuffer.wrap(bytes(n, length)));
    }

    ChunkAddress append(V v, int n, int length) {
        return store.append(v, DOMAIN, List.of(chunk(n, length))).getFirst();
    }

    ChunkAddress append(int n, int length) {
        return append(V1, n, length);
    }

    /** Reads chunk {@code n}, or throws what the store throws. */
    byte[] read(ChunkAddress address, int n, int length) {
        ByteBuffer target = ByteBuffer.allocateDirect(length);
        store.read(List.of(new Wanted(address, fingerprint(n), length)), target, ChunkOpener.NONE);
        byte[] bytes = new byte[length];
        target.flip().get(bytes);
        return bytes;
    }

    boolean isIntact(ChunkAddress address, int n, int length) {
        return Arrays.equals(read(address, n, length), bytes(n, length));
    }

    /**
     * Repeats a call until it fails with the code; what the disk pool still does comes to an end.
     */
    void awaitFailure(Runnable call, ChunkStoreException.Code code) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() < deadline) {
            try {
                call.run();
            } catch (ChunkStoreException e) {
                if (e.code() != code) {
                    throw e;
                }
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("never failed with " + code);
    }

    /** Seals what is open, as the end of a session does. */
    void endSession() {
        store.close();
        store = newStore();
    }

    // ---- streams ----

    long deliver(ShardId source, ContainerId container, StorageMessage... messages) {
        Map<ContainerId, Long> last = sequences.computeIfAbsent(source, s -> new HashMap<>());
        long first = last.getOrDefault(container, 0L) + 1;
        last.put(container, first + messages.length - 1);
        return node.deliver(container, source, first, encoded(messages));
    }

    static List<byte[]> encoded(StorageMessage... messages) {
        return Arrays.stream(messages).map(MessageCodec::encode).toList();
    }

    static StorageMessage adopt(int... slots) {
        return new StorageMessage.Adopt(slots);
    }

    static StorageMessage free(int... slots) {
        return new StorageMessage.Free(slots);
    }

    static StorageMessage closed(int epoch) {
        return new StorageMessage.Closed(epoch);
    }
}
