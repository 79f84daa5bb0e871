package io.dedupstore.core.maintenance;

import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexCut;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.io.LocalDisk;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.metadata.Keeping;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataCut;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.metadata.MetadataStateMachine;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.metadata.ObjectAttributes;
import io.dedupstore.core.metadata.Precondition;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.spi.SlotCut;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.StateMachine;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store of two index shards and a metadata shard, with the real machines and streams, under
 * random writes of which some end in the middle.
 */
final class VerifiedStore {
    static final int LENGTH = 100;

    private static final BucketId BUCKET = new BucketId(7);
    private static final ShardId HOME = ShardId.metadata(0);
    private static final List<ShardId> SHARDS = List.of(ShardId.index(0), ShardId.index(1));
    private static final int KEYS = 12;
    private static final int CHUNKS = 60;

    final Random random;
    final SlotsInMemory slots = new SlotsInMemory();
    final Group indexGroup = new Group(new IndexStateMachine(SHARDS));
    final Group metadataGroup = new Group(new MetadataStateMachine(List.of(HOME), SHARDS.size()));
    private final IndexClient index;
    private final MetadataClient metadata;
    private final ReplicatedMetadataShard home = new ReplicatedMetadataShard(HOME, metadataGroup);
    private final List<OutboxPump> pumps;
    private long now = 1_700_000_000L;
    private long attempts;
    private int epoch = 1;

    VerifiedStore(long seed) {
        this.random = new Random(seed);
        this.index =
                new IndexClient(List.of(indexGroup, indexGroup), () -> Instant.ofEpochSecond(now));
        this.metadata =
                new MetadataClient(
                        new OneHome(), () -> now * 1_000, Duration.ofMillis(1), millis -> true);
        Map<ShardId, IndexShard> byId = new HashMap<>();
        index.shards().forEach(shard -> byId.put(shard.id(), shard));
        List<OutboxShard> sources = new ArrayList<>(index.shards());
        sources.add(home);
        this.pumps =
                sources.stream()
                        .map(source -> new OutboxPump(source, byId, container -> slots))
                        .toList();
    }

    private final class OneHome implements ShardMap {
        @Override
        public ShardId homeOf(BucketId bucket) {
            return HOME;
        }

        @Override
        public ReplicatedGroup groupOf(ShardId shard) {
            return metadataGroup;
        }
    }

    // ---- what clients do ----

    /** Anything, by chance. */
    void step() {
        now += random.nextInt(3);
        int dice = random.nextInt(100);
        if (dice < 35) {
            put();
        } else if (dice < 50) {
            metadata.deleteObject(v(), BUCKET, key(), Versioning.NEVER, new Precondition.None());
        } else if (dice < 55) {
            prune();
        } else if (dice < 57) {
            limit();
        } else if (dice < 60) {
            rededup();
        } else if (dice < 62) {
            resolve();
        } else if (dice < 75) {
            metadataGroup.work();
        } else if (dice < 85) {
            indexGroup.work();
        } else {
            pumps.get(random.nextInt(pumps.size())).step();
        }
    }

    private V v() {
        return new V(epoch, 1, ++attempts);
    }

    private ObjectKey key() {
        return ObjectKey.of("key" + random.nextInt(KEYS));
    }

    /** Spread over both shards. */
    private static Fingerprint fingerprint(int chunk) {
        return new Fingerprint(chunk * 0x9e3779b97f4a7c15L, 1, 2, chunk);
    }

    /** Commits mostly; what does not leaves its intents. */
    void put() {
        V v = v();
        int rows = random.nextInt(15) == 0 ? 1 : 0;
        int chunks = rows * MetadataService.MANIFEST_ROW_ENTRIES + 1 + random.nextInt(6);
        Map<Integer, ManifestEntry> known = new HashMap<>();
        List<ManifestEntry> manifest = new ArrayList<>();
        for (int i = 0; i < chunks; i++) {
            int chunk = random.nextInt(rows == 0 ? CHUNKS : 4 * CHUNKS);
            manifest.add(known.computeIfAbsent(chunk, c -> chunk(v, c)));
        }
        // Claimed in vain: its reference goes with the verdict.
        Optional<Fingerprint> vain = Optional.empty();
        int more = CHUNKS + random.nextInt(CHUNKS);
        if (random.nextInt(4) == 0 && !known.containsKey(more)) {
            vain = Optional.of(fingerprint(more));
            chunk(v, more);
        }
        if (random.nextInt(10) > 0) {
            commit(v, rows, manifest, vain);
        }
    }

    private void commit(V v, int rows, List<ManifestEntry> manifest, Optional<Fingerprint> vain) {
        ObjectKey key = key();
        int entries = MetadataService.MANIFEST_ROW_ENTRIES;
        for (int row = 0; row < rows; row++) {
            metadata.sendRow(
                    BUCKET, key, v, row, manifest.subList(row * entries, (row + 1) * entries));
        }
        long size = manifest.stream().mapToLong(ManifestEntry::length).sum();
        metadata.putObject(
                BUCKET,
                key,
                new NewBody.Holder(
                        v,
                        List.of(),
                        size,
                        rows,
                        manifest.subList(rows * entries, manifest.size()),
                        retained(manifest, vain),
                        size),
                new VersionSpec("etag", ObjectAttributes.NONE, List.of(), Keeping.UNVERSIONED),
                new Precondition.None());
    }

    private static Map<ShardId, Retained> retained(
            List<ManifestEntry> manifest, Optional<Fingerprint> vain) {
        Map<ShardId, ReferenceSum> sums = new TreeMap<>();
        SHARDS.forEach(shard -> sums.put(shard, ReferenceSum.ZERO));
        Set<Fingerprint> counted = new HashSet<>();
        for (ManifestEntry entry : manifest) {
            if (entry.kind() == ManifestEntry.Kind.INDEXED
                    && counted.add(entry.reference().fingerprint())) {
                ShardId shard =
                        ShardId.ofFingerprint(entry.reference().fingerprint(), SHARDS.size());
                sums.merge(shard, ReferenceSum.of(entry.reference()), ReferenceSum::plus);
            }
        }
        Map<ShardId, Retained> retained = new HashMap<>();
        sums.forEach(
                (shard, sum) ->
                        retained.put(
                                shard,
                                vain.isPresent()
                                        ? new Retained.AllBut(Set.of(vain.get()), sum)
                                        : new Retained.All(sum)));
        return retained;
    }

    /** One chunk as the straight line has it stored. */
    private ManifestEntry chunk(V v, int chunk) {
        Fingerprint fingerprint = fingerprint(chunk);
        if (!index.takesClaims(index.shardOf(fingerprint))) {
            return entry(ManifestEntry.Kind.UNINDEXED, fingerprint, slots.append());
        }
        ChunkAddress offered =
                index.lookup(List.of(fingerprint)).getFirst().isPresent() ? null : slots.append();
        ClaimAnswer answer = claim(v, fingerprint, offered);
        if (offered == null
                && (answer instanceof ClaimAnswer.Miss
                        || answer instanceof ClaimAnswer.Unindexed)) {
            offered = slots.append();
            answer = claim(v, fingerprint, offered);
        }
        return switch (answer) {
            case ClaimAnswer.Own(ChunkAddress address) ->
                    entry(ManifestEntry.Kind.INDEXED, fingerprint, address);
            case ClaimAnswer.Use(ChunkAddress address) ->
                    entry(ManifestEntry.Kind.INDEXED, fingerprint, address);
            case ClaimAnswer.Unindexed() ->
                    entry(ManifestEntry.Kind.UNINDEXED, fingerprint, offered);
            case ClaimAnswer.Miss() -> throw new AssertionError("a miss with an address");
        };
    }

    private ClaimAnswer claim(V v, Fingerprint fingerprint, @Nullable ChunkAddress offered) {
        return index.claim(
                        index.shardOf(fingerprint),
                        v,
                        HOME,
                        List.of(new ClaimItem(fingerprint, offered, LENGTH)))
                .getFirst();
    }

    private static ManifestEntry entry(
            ManifestEntry.Kind kind, Fingerprint fingerprint, @Nullable ChunkAddress address) {
        return new ManifestEntry(kind, fingerprint, address, LENGTH, new ChunkSums(1, 2, 3));
    }

    // ---- what operators do ----

    void prune() {
        Pruner pruner = new Pruner(index.shards(), () -> false);
        pruner.prune(pruner.plan(new PruneChoice.Percent(40)), (entries, bytes) -> {});
    }

    /** Chunks that the index had no room for. */
    private void rededup() {
        new Rededuper(index, copies, (suspect, whole) -> false, List.of(home), this::v).step();
    }

    private void limit() {
        limit(random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(40)));
    }

    void limit(OptionalLong limit) {
        index.shards().forEach(shard -> shard.setEntryLimit(limit));
    }

    /** What writes left in the middle is given up. */
    private boolean resolve() {
        boolean asked = false;
        for (IndexShardClient shard : index.shards()) {
            asked |= new Resolver(Map.of(HOME, home)).step(shard, epoch);
        }
        return asked;
    }

    /** Resolves, delivers and works off everything. */
    void settle() {
        boolean busy = true;
        while (busy) {
            busy = metadataGroup.work() | indexGroup.work() | resolve();
            for (OutboxPump pump : pumps) {
                busy |= pump.step();
            }
        }
    }

    IndexShardClient shard(int number) {
        return index.shards().get(number);
    }

    /** Copies have no bytes here. */
    private final ChunkStore copies =
            new ChunkStore() {
                @Override
                public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
                    throw new UnsupportedOperationException("nothing is written this way");
                }

                @Override
                public List<ChunkAddress> copy(V v, List<Wanted> chunks) {
                    return chunks.stream().map(chunk -> slots.append()).toList();
                }

                @Override
                public boolean heal(ChunkAddress damaged, Wanted whole) {
                    throw new UnsupportedOperationException("nothing is damaged here");
                }

                @Override
                public void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener) {
                    throw new UnsupportedOperationException("nobody reads here");
                }
            };

    // ---- losing the index ----

    /** As a new drive has it. */
    void loseIndex() {
        KvBatch batch = new KvBatch();
        for (Table table : new IndexStateMachine(SHARDS).tables()) {
            try (KvCursor cursor = indexGroup.store.scan(table, new byte[0], null)) {
                while (cursor.next()) {
                    batch.delete(table, cursor.key());
                }
            }
        }
        indexGroup.store.write(batch);
    }

    /** From here on chunks are stored without the index. */
    void beginRebuild() {
        index.shards().forEach(shard -> shard.beginRebuild(epoch, 0));
        epoch++;
    }

    /**
     * @param between what happens meanwhile
     */
    IndexRebuild.Result rebuild(Path scratch, Runnable between) {
        while (!index.shards().stream().allMatch(IndexShardClient::isWiped)) {
            between.run();
            indexGroup.work();
        }
        home.refuseEpoch(epoch - 1);
        between.run();
        SlotCut slotView = slots.cut();
        between.run();
        KvSnapshot metadataView = metadataGroup.store.snapshot();
        between.run();
        IndexRebuild.Watch watch =
                new IndexRebuild.Watch() {
                    @Override
                    public void phase(String name, String unit, long total) {}

                    @Override
                    public boolean at(long done) {
                        if (random.nextInt(50) == 0) {
                            between.run();
                        }
                        return true;
                    }
                };
        return new IndexRebuild(
                        index.shards(), SHARDS.size(), new LocalDisk(), scratch, () -> now, watch)
                .run(slotView, List.of(new MetadataCut(metadataView, HOME)), 0);
    }

    // ---- what the verifier sees ----

    /**
     * @param between what happens between one view and the next
     */
    IndexVerifier.Cut cut(Runnable between) {
        List<ContainerId> before = slots.cut().containers();
        between.run();
        KvSnapshot metadataView = metadataGroup.store.snapshot();
        between.run();
        KvSnapshot indexView = indexGroup.store.snapshot();
        between.run();
        SlotCut slotView = slots.cut();
        between.run();
        return new IndexVerifier.Cut(
                0,
                before,
                List.of(new MetadataCut(metadataView, HOME)),
                SHARDS.stream().map(id -> new IndexCut(indexView, id)).toList(),
                slotView);
    }

    IndexVerifier.Result verify() {
        return verify(cut(() -> {}), 1_000);
    }

    static IndexVerifier.Result verify(IndexVerifier.Cut cut, long slotsAtOnce) {
        return new IndexVerifier(cut, slotsAtOnce, 20, new Patient()).run();
    }

    private static final class Patient implements IndexVerifier.Watch {
        @Override
        public void group(int number, int groups) {}

        @Override
        public boolean at(long done) {
            return true;
        }
    }

    /** A group of one replica that applies at once. */
    static final class Group implements ReplicatedGroup {
        final MemoryKvStore store;
        private final StateMachine machine;

        Group(StateMachine machine) {
            this.machine = machine;
            this.store = new MemoryKvStore(machine.tables());
        }

        @Override
        public byte[] submit(byte[] command) {
            KvTransaction rows = new KvTransaction(store);
            byte[] reply = machine.apply(rows, command);
            store.write(rows.toBatch());
            return reply;
        }

        boolean work() {
            Optional<byte[]> command = machine.pendingWork(store);
            command.ifPresent(this::submit);
            return command.isPresent();
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
}
