package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.ReplicatedGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A metadata shard with its client, an endless supply of attempts, and what it has sent. */
final class TestStore {
    static final ShardId SHARD = ShardId.metadata(3);
    static final int INDEX_SHARDS = 4;
    static final BucketId BUCKET = new BucketId(7);
    static final ChunkSums SUMS = new ChunkSums(1, 2, 3);

    final TestGroup group;
    final MetadataClient client;
    final ReplicatedMetadataShard shard;
    private final List<IndexMessage> toIndex = new ArrayList<>();
    private final Map<Long, List<StorageMessage>> toStorage = new TreeMap<>();
    private int epoch = 1;
    private long counter;
    private long clock = 1_700_000_000_000L;

    TestStore() {
        this.group = new TestGroup(new MetadataStateMachine(List.of(SHARD), INDEX_SHARDS));
        ShardMap map =
                new ShardMap() {
                    @Override
                    public ShardId homeOf(BucketId bucket) {
                        return SHARD;
                    }

                    @Override
                    public ReplicatedGroup groupOf(ShardId shard) {
                        return group;
                    }
                };
        this.client =
                new MetadataClient(
                        map,
                        () -> clock += 1,
                        Duration.ofMillis(100),
                        millis -> {
                            clock += millis;
                            return true;
                        });
        this.shard = new ReplicatedMetadataShard(SHARD, group);
    }

    V v() {
        return new V(epoch, 1, counter++);
    }

    void nextEpoch() {
        epoch++;
    }

    void passTime(Duration duration) {
        clock += duration.toMillis();
    }

    long now() {
        return clock;
    }

    static ObjectKey key(String text) {
        return ObjectKey.of(text);
    }

    static VersionSpec spec(String etag) {
        return new VersionSpec(etag, ObjectAttributes.NONE, List.of(), Keeping.UNVERSIONED);
    }

    // ---- chunks ----

    static Fingerprint fingerprint(long id) {
        return new Fingerprint(id * 0x9e3779b97f4a7c15L, id, 0, id);
    }

    static ManifestEntry indexed(long id) {
        return entry(ManifestEntry.Kind.INDEXED, id, 1 + id % 3, (int) (id % 1000));
    }

    static ManifestEntry unindexed(long id, long container, int slot) {
        return entry(ManifestEntry.Kind.UNINDEXED, id, container, slot);
    }

    static ManifestEntry zero(int length) {
        return ManifestEntry.zero(length, SUMS);
    }

    private static ManifestEntry entry(ManifestEntry.Kind kind, long id, long container, int slot) {
        return new ManifestEntry(
                kind,
                fingerprint(id),
                new ChunkAddress(new ContainerId(container), slot),
                100,
                SUMS);
    }

    static List<ManifestEntry> chunks(long... ids) {
        List<ManifestEntry> entries = new ArrayList<>();
        for (long id : ids) {
            entries.add(indexed(id));
        }
        return entries;
    }

    // ---- writing ----

    static NewBody inline(V v, int bytes) {
        return new NewBody.Inline(v, new byte[bytes]);
    }

    /** A holder whose rows are sent ahead as far as they are full. */
    NewBody.Holder holder(V v, List<ManifestEntry> entries) {
        return holder(v, List.of(), 0, entries, Map.of());
    }

    NewBody.Holder holder(V v, List<ManifestEntry> entries, Map<ShardId, Retained> claimed) {
        return holder(v, List.of(), 0, entries, claimed);
    }

    NewBody.Holder holder(
            V v,
            List<V> earlier,
            long earlierBytes,
            List<ManifestEntry> entries,
            Map<ShardId, Retained> claimed) {
        int rowSize = MetadataService.MANIFEST_ROW_ENTRIES;
        int rows = entries.size() / rowSize;
        for (int row = 0; row < rows; row++) {
            client.sendRow(
                    BUCKET,
                    key("any"),
                    v,
                    row,
                    entries.subList(row * rowSize, (row + 1) * rowSize));
        }
        long size = entries.stream().mapToLong(ManifestEntry::length).sum();
        List<ManifestEntry> tail = entries.subList(rows * rowSize, entries.size());
        return new NewBody.Holder(v, earlier, earlierBytes + size, rows, tail, claimed, size);
    }

    ObjectVersion put(String name, List<ManifestEntry> entries) {
        V v = v();
        return put(name, holder(v, entries));
    }

    ObjectVersion put(String name, NewBody body) {
        return client.putObject(
                BUCKET, key(name), body, spec("e-" + body.v()), new Precondition.None());
    }

    boolean delete(String name) {
        return client.deleteObject(
                        v(), BUCKET, key(name), Versioning.NEVER, new Precondition.None())
                .existed();
    }

    ObjectVersion copy(ObjectVersion source, String name) {
        return client.copyObject(
                v(),
                BUCKET,
                source,
                BUCKET,
                key(name),
                spec(source.etag()),
                new Precondition.None());
    }

    V upload(String name) {
        V v = v();
        client.createUpload(v, BUCKET, key(name), ObjectAttributes.NONE, Optional.empty(), false);
        return v;
    }

    PartInfo part(String name, V upload, int number, NewBody body) {
        return client.putPart(BUCKET, key(name), upload, number, body, "p" + number, List.of());
    }

    ObjectVersion complete(String name, V upload, List<PartInfo> parts) {
        return client.completeUpload(
                v(),
                BUCKET,
                key(name),
                upload,
                parts.stream()
                        .map(part -> new MetadataService.SeenPart(part.number(), part.v()))
                        .toList(),
                spec("complete"),
                new Precondition.None());
    }

    MetadataService.Stored open(String name) {
        return client.openObject(BUCKET, key(name)).orElseThrow();
    }

    // ---- what was sent ----

    /** Delivers and acknowledges everything that is queued. */
    TestStore deliver() {
        List<Destination> ready = shard.readyStreams(null, 10_000);
        while (!ready.isEmpty()) {
            ready.forEach(this::deliver);
            ready = shard.readyStreams(null, 10_000);
        }
        return this;
    }

    private void deliver(Destination stream) {
        OutboxShard.Run run = shard.read(stream, 1000);
        for (byte[] message : run.messages()) {
            switch (stream) {
                case Destination.Shard(ShardId to) -> {
                    IndexMessage decoded = MessageCodec.decodeIndex(message);
                    requireRightShard(to, decoded);
                    toIndex.add(decoded);
                }
                case Destination.Container(ContainerId to) ->
                        toStorage
                                .computeIfAbsent(to.value(), c -> new ArrayList<>())
                                .add(MessageCodec.decodeStorage(message));
            }
        }
        long last = run.firstSequence() + run.messages().size() - 1;
        shard.acknowledge(List.of(new StreamPosition(stream, last)));
    }

    private static void requireRightShard(ShardId to, IndexMessage message) {
        if (message instanceof IndexMessage.Release release) {
            for (ChunkReference reference : release.references()) {
                ShardId owner = ShardId.ofFingerprint(reference.fingerprint(), INDEX_SHARDS);
                if (!owner.equals(to)) {
                    throw new AssertionError("RELEASE of " + owner + " went to " + to);
                }
            }
        }
    }

    /** Everything done that can be done without new requests. */
    TestStore rest() {
        group.workAll();
        return deliver();
    }

    List<IndexMessage> toIndex() {
        return toIndex;
    }

    List<IndexMessage.Release> releases() {
        return toIndex.stream()
                .filter(IndexMessage.Release.class::isInstance)
                .map(IndexMessage.Release.class::cast)
                .toList();
    }

    List<Fingerprint> released(V holder) {
        return releases().stream()
                .filter(release -> release.holder().equals(holder))
                .flatMap(release -> release.references().stream())
                .map(ChunkReference::fingerprint)
                .toList();
    }

    List<StorageMessage> toStorage(long container) {
        return toStorage.getOrDefault(container, List.of());
    }

    void forgetMessages() {
        toIndex.clear();
        toStorage.clear();
    }

    /** Rows other than fates, the shard's own, sums, stream positions, remembered completions. */
    List<String> leftRows() {
        String prefix = "metadata/0003";
        List<String> kept = List.of("46", "53", "43", "54", "4d");
        return group.rows().keySet().stream()
                .filter(row -> !row.startsWith("outbox-streams/"))
                .filter(
                        row ->
                                !row.startsWith(prefix)
                                        || !kept.contains(
                                                row.substring(
                                                        prefix.length(), prefix.length() + 2)))
                .toList();
    }

    /** Closes epochs up to {@code epoch} as far as this shard is concerned. */
    void close(int epoch) {
        shard.refuseEpoch(epoch);
        group.workAll();
        shard.forgetEpoch(epoch);
        group.workAll();
    }

    static long[] range(int from, int to) {
        return IntStream.range(from, to).asLongStream().toArray();
    }
}
