package io.dedupstore.core.sim;

import io.dedupstore.core.index.IndexQueries;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.ReplicatedGroup;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What must hold of the rows of one metadata shard, one index shard and storage at any moment. What
 * was found to hold of some rows is not looked at again.
 */
final class Invariants {
    private static final ShardId INDEX = ShardId.index(0);
    private static final Table UNIQUE = new Table("index-unique", Table.Profile.POINT);
    private static final Table DUPLICATE = new Table("index-duplicate", Table.Profile.POINT);
    private static final Table INTENTS = new Table("index-intents", Table.Profile.QUEUE);
    private static final Table ANSWERS = new Table("index-answers", Table.Profile.ONCE);
    private static final Table TOMBSTONES = new Table("index-tombstones", Table.Profile.QUEUE);
    private static final int SHARD_BYTES = 2;
    private static final int VERDICT_AT = 1 + 2 + 4 + 4;
    private static final int OWN = 1;
    private static final int USE = 2;

    private final Map<Integer, MetadataFacts> metadataFacts = new HashMap<>();
    private final Map<Integer, IndexFacts> indexFacts = new HashMap<>();
    private final LongMap sound = new LongMap();
    private final LongMap readable = new LongMap();

    /** A reference and who has it. */
    private record Reference(V holder, ChunkReference chunk) {}

    /** A RELEASE on its way, by its number in the stream. */
    private record Release(long item, Reference reference) {}

    /**
     * @param live references of versions, of both kinds
     * @param held references through the index that holders have
     */
    private record MetadataFacts(
            Set<V> versions,
            List<Destination> streams,
            Set<ChunkReference> live,
            Set<Reference> held,
            List<Release> releases,
            Set<ChunkAddress> freed,
            boolean fates) {}

    private record IndexEntry(ChunkAddress address, long references) {}

    private record IndexFacts(
            List<Destination> streams,
            Map<Fingerprint, IndexEntry> entries,
            Set<V> open,
            Set<Reference> claimed,
            long applied,
            Set<ChunkAddress> freed,
            boolean tombstones) {}

    // ---- what is asked ----

    /** Attempts whose versions are current. */
    Set<V> versions(Machine metadata, int state) {
        return of(metadata, state).versions();
    }

    /** Attempts that nobody has decided. */
    Set<V> openIntents(Machine index, int state) {
        return ofIndex(index, state).open();
    }

    /** Streams with undelivered items. */
    List<Destination> streams(Machine machine, int state, ShardId shard) {
        return shard.equals(INDEX)
                ? ofIndex(machine, state).streams()
                : of(machine, state).streams();
    }

    void check(
            Machine metadata,
            int metadataState,
            Machine index,
            int indexState,
            Slots slots,
            int slotsState) {
        long pair = (long) metadataState << 32 | indexState;
        if (sound.get(pair) == LongMap.ABSENT) {
            checkCounts(of(metadata, metadataState), ofIndex(index, indexState));
            sound.putIfAbsent(pair, 1);
        }
        long other = (long) metadataState << 32 | slotsState;
        if (readable.get(other) == LongMap.ABSENT) {
            checkReadable(of(metadata, metadataState), slots);
            readable.putIfAbsent(other, 1);
        }
    }

    /** I1 and half of I3. */
    private static void checkReadable(MetadataFacts metadata, Slots slots) {
        for (ChunkReference reference : metadata.live()) {
            Slots.Slot slot = slots.slot(reference.address());
            require(
                    slot.state() != Slots.State.FREED
                            && slot.fingerprint().equals(reference.fingerprint()),
                    "I1: a version has " + reference.address() + ", which is " + slot.state());
        }
    }

    /** I2 and the other half of I3. */
    private static void checkCounts(MetadataFacts metadata, IndexFacts index) {
        for (ChunkReference reference : metadata.live()) {
            require(
                    !metadata.freed().contains(reference.address())
                            && !index.freed().contains(reference.address()),
                    "I3: FREE is queued for %s, which a version has"
                            .formatted(reference.address()));
        }
        Map<ChunkReference, Set<V>> holders = new HashMap<>();
        Set<Reference> counted = new HashSet<>(metadata.held());
        for (Release release : metadata.releases()) {
            if (release.item() > index.applied()) {
                counted.add(release.reference());
            }
        }
        for (Reference one : counted) {
            holders.computeIfAbsent(one.chunk(), c -> new HashSet<>()).add(one.holder());
        }
        for (Reference one : index.claimed()) {
            IndexEntry entry = index.entries().get(one.chunk().fingerprint());
            require(
                    entry != null && entry.address().equals(one.chunk().address()),
                    "I2: %s has claimed %s, the entry is %s"
                            .formatted(one.holder(), one.chunk().address(), entry));
            holders.computeIfAbsent(one.chunk(), c -> new HashSet<>()).add(one.holder());
        }
        index.entries()
                .forEach(
                        (fingerprint, entry) -> {
                            Set<V> all =
                                    holders.getOrDefault(
                                            new ChunkReference(fingerprint, entry.address()),
                                            Set.of());
                            require(
                                    all.size() == entry.references(),
                                    "I2: the entry at %s counts %d, held by %s"
                                            .formatted(entry.address(), entry.references(), all));
                        });
    }

    /** I5. */
    void checkRest(
            Machine metadata, int metadataState, Machine index, int indexState, Slots slots) {
        IndexStatistics statistics = IndexQueries.statistics(index.rows(indexState), INDEX);
        require(statistics.openIntents() == 0, "I5: intents are open");
        require(statistics.settlingIntents() == 0, "I5: intents are being settled");
        require(statistics.zombies() == 0, "I5: zombies are left");
        require(!ofIndex(index, indexState).tombstones(), "I5: tombstones are left");
        require(!of(metadata, metadataState).fates(), "I5: fates are left");
        require(
                slots.in(Slots.State.WRITTEN).isEmpty(),
                "I5: nobody owns " + slots.in(Slots.State.WRITTEN));
        Set<ChunkAddress> live = new TreeSet<>();
        of(metadata, metadataState).live().forEach(one -> live.add(one.address()));
        require(
                slots.in(Slots.State.ADOPTED).equals(live),
                "I5: adopted are %s, versions have %s"
                        .formatted(slots.in(Slots.State.ADOPTED), live));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    // ---- facts ----

    private MetadataFacts of(Machine metadata, int state) {
        return metadataFacts.computeIfAbsent(state, s -> read(metadata.rows(s)));
    }

    private static MetadataFacts read(Rows rows) {
        Set<ChunkReference> live = new HashSet<>();
        Set<Reference> held = new HashSet<>();
        for (V holder : MetadataRows.heldByVersions(rows)) {
            for (ManifestEntry entry : manifest(rows, holder)) {
                live.add(entry.reference());
            }
        }
        for (V holder : MetadataRows.holders(rows)) {
            for (ManifestEntry entry : manifest(rows, holder)) {
                if (entry.kind() == ManifestEntry.Kind.INDEXED) {
                    held.add(new Reference(holder, entry.reference()));
                }
            }
        }
        List<Destination> streams = new Outbox(Actor.HOME).ready(rows, null, 100);
        return new MetadataFacts(
                MetadataRows.versions(rows),
                streams,
                live,
                held,
                releases(rows),
                freed(rows, Actor.HOME, streams),
                MetadataRows.hasFates(rows));
    }

    private static List<Release> releases(KvReader rows) {
        Outbox outbox = new Outbox(Actor.HOME);
        Destination stream = new Destination.Shard(INDEX);
        List<Release> releases = new ArrayList<>();
        long[] item = {outbox.position(rows, stream).acknowledged()};
        outbox.forEachItem(
                rows,
                stream,
                0,
                bytes -> {
                    item[0]++;
                    if (MessageCodec.decodeIndex(bytes)
                            instanceof
                            IndexMessage.Release(V holder, List<ChunkReference> references)) {
                        references.forEach(
                                one ->
                                        releases.add(
                                                new Release(item[0], new Reference(holder, one))));
                    }
                });
        return releases;
    }

    private static Set<ChunkAddress> freed(
            KvReader rows, ShardId shard, List<Destination> streams) {
        Set<ChunkAddress> freed = new HashSet<>();
        for (Destination stream : streams) {
            if (stream instanceof Destination.Container(ContainerId id)) {
                new Outbox(shard)
                        .forEachItem(
                                rows,
                                stream,
                                0,
                                bytes -> {
                                    if (MessageCodec.decodeStorage(bytes)
                                            instanceof StorageMessage.Free(int[] slots)) {
                                        for (int slot : slots) {
                                            freed.add(new ChunkAddress(id, slot));
                                        }
                                    }
                                });
            }
        }
        return freed;
    }

    /** Of a holder that must be there. */
    private static List<ManifestEntry> manifest(Rows rows, V holder) {
        return reader(rows)
                .readManifest(Actor.BUCKET, ObjectKey.of("k"), holder, 0)
                .orElseThrow(() -> new AssertionError("I1: holder " + holder + " is gone"))
                .entries();
    }

    private static MetadataClient reader(Rows rows) {
        ReplicatedGroup group =
                new ReplicatedGroup() {
                    @Override
                    public byte[] submit(byte[] command) {
                        throw new UnsupportedOperationException("only reads");
                    }

                    @Override
                    public <T> T read(Function<KvReader, T> query) {
                        return query.apply(rows);
                    }

                    @Override
                    public <T> T readLocal(Function<KvReader, T> query) {
                        return query.apply(rows);
                    }
                };
        ShardMap map =
                new ShardMap() {
                    @Override
                    public ShardId homeOf(BucketId bucket) {
                        return Actor.HOME;
                    }

                    @Override
                    public ReplicatedGroup groupOf(ShardId shard) {
                        return group;
                    }
                };
        return new MetadataClient(map, () -> 0, Duration.ZERO, pause -> false);
    }

    private IndexFacts ofIndex(Machine index, int state) {
        return indexFacts.computeIfAbsent(state, s -> readIndex(index.rows(s)));
    }

    /** I6 as well: the books balance, and nothing was ever missing. */
    private static IndexFacts readIndex(Rows rows) {
        IndexStatistics statistics = IndexQueries.statistics(rows, INDEX);
        require(statistics.anomalies() == 0, "I2: something was not found that must be there");
        require(statistics.audit().failures() == 0, "I6: an audit failed");
        require(statistics.audit().balanced(), "I6: the books do not balance");
        Map<Fingerprint, IndexEntry> entries = new HashMap<>();
        for (Table table : List.of(UNIQUE, DUPLICATE)) {
            forEach(
                    rows,
                    table,
                    (key, value) -> {
                        ByteBuffer in = ByteBuffer.wrap(value, 1, value.length - 1);
                        ContainerId container = new ContainerId(in.getLong());
                        long place = (in.get() & 0xffL) << 32 | Integer.toUnsignedLong(in.getInt());
                        entries.put(
                                Fingerprint.read(ByteBuffer.wrap(key).position(SHARD_BYTES)),
                                new IndexEntry(
                                        new ChunkAddress(container, (int) (place >>> 20)),
                                        Integer.toUnsignedLong(in.getInt())));
                    });
        }
        Set<V> open = new HashSet<>();
        forEach(
                rows,
                INTENTS,
                (key, value) -> {
                    if (value[VERDICT_AT] == 0) {
                        open.add(V.read(ByteBuffer.wrap(key).position(SHARD_BYTES)));
                    }
                });
        Set<Reference> claimed = new HashSet<>();
        forEach(
                rows,
                ANSWERS,
                (key, value) -> {
                    ByteBuffer in = ByteBuffer.wrap(key).position(SHARD_BYTES);
                    V v = V.read(in);
                    if (open.contains(v) && (value[0] == OWN || value[0] == USE)) {
                        claimed.add(
                                new Reference(
                                        v,
                                        new ChunkReference(
                                                Fingerprint.read(in),
                                                ChunkAddress.read(
                                                        ByteBuffer.wrap(value).position(1)))));
                    }
                });
        List<Destination> streams = new Outbox(INDEX).ready(rows, null, 100);
        List<byte[]> tombstones = new ArrayList<>();
        forEach(rows, TOMBSTONES, (key, value) -> tombstones.add(key));
        return new IndexFacts(
                streams,
                entries,
                open,
                claimed,
                new Inbox(new Destination.Shard(INDEX)).lastApplied(rows, Actor.HOME),
                freed(rows, INDEX, streams),
                !tombstones.isEmpty());
    }

    private static void forEach(Rows rows, Table table, BiConsumer<byte[], byte[]> visitor) {
        try (KvCursor cursor = rows.scan(table, new byte[0], null)) {
            while (cursor.next()) {
                visitor.accept(cursor.key(), cursor.value());
            }
        }
    }
}
