package io.dedupstore.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.control.Bootstrap;
import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.control.ControlClient;
import io.dedupstore.core.control.ControlException;
import io.dedupstore.core.control.ControlStateMachine;
import io.dedupstore.core.control.SecretCipher;
import io.dedupstore.core.control.Session;
import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.index.IndexStatistics;
import io.dedupstore.core.io.WorkerPool;
import io.dedupstore.core.maintenance.ChunkHealer;
import io.dedupstore.core.maintenance.EpochCloser;
import io.dedupstore.core.maintenance.OutboxPump;
import io.dedupstore.core.maintenance.Rededuper;
import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.metadata.MetadataClient;
import io.dedupstore.core.metadata.MetadataProto.FateRow;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.MetadataStateMachine;
import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.metadata.ShardMap;
import io.dedupstore.core.metadata.Upload;
import io.dedupstore.core.metadata.Versioning;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.spi.PrunableShard;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All shards of a small cluster, the production machines, clients and maintenance, on simulated
 * storage and network; and what must hold of them together at any moment.
 */
final class Cluster {
    static final BucketId BUCKET = new BucketId(1);
    static final List<String> KEYS = List.of("a", "b", "c");
    private static final int INDEX_SHARDS = 2;
    private static final ShardId HOME = ShardId.metadata(0);
    private static final ShardId ASIDE = ShardId.metadata(9);

    final Mutant mutant;
    final Random random;
    final Scheduler scheduler;
    final Network network;
    final WorkerPool pool;
    final SimStorage storage;
    final SimGroup metadataGroup;
    final List<SimGroup> indexGroups = new ArrayList<>();
    final ControlClient control;
    final Map<String, History> histories = new TreeMap<>();
    long millis = 1_700_000_000_000L;

    /** As gateways know it; one that is late may still go by the one before. */
    Versioning versioning = Versioning.NEVER;

    private final Network reliable;
    private final Object maintenance = new Object();
    private final Object rededup = new Object();
    private final MetadataClient observer;
    private final Map<ShardId, List<ChunkReference>> suspects = new HashMap<>();

    Cluster(long seed, WorkerPool pool, Mutant mutant) {
        this.mutant = mutant;
        this.random = new Random(seed);
        this.pool = pool;
        this.scheduler = new Scheduler(random);
        this.network = new Network(random, scheduler);
        // What the control group is told is told once: its own faults are another simulation's.
        this.reliable = new Network(random, scheduler);
        ClusterLayout layout = new ClusterLayout(INDEX_SHARDS, 1);
        this.metadataGroup =
                new SimGroup(
                        mutant.metadata(new MetadataStateMachine(List.of(HOME), INDEX_SHARDS)),
                        network);
        Set<ShardId> required = new HashSet<>(layout.metadata());
        for (ShardId shard : layout.index()) {
            indexGroups.add(
                    new SimGroup(mutant.index(new IndexStateMachine(List.of(shard))), network));
            required.add(shard);
        }
        this.control =
                new ControlClient(
                        new SimGroup(new ControlStateMachine(), reliable),
                        new SecretCipher(new byte[32]),
                        clock(),
                        new Random(seed));
        control.bootstrap(new Bootstrap(layout, "KEY", "secret"));
        this.observer = metadata();
        this.storage =
                new SimStorage(
                        random,
                        network,
                        mutant.requiredStreams(required),
                        () -> millis,
                        this::heldAddresses);
        KEYS.forEach(key -> histories.put(key, new History()));
    }

    InstantSource clock() {
        return () -> Instant.ofEpochMilli(millis);
    }

    IndexClient index() {
        return new IndexClient(indexGroups, clock());
    }

    MetadataClient metadata() {
        ShardMap map =
                new ShardMap() {
                    @Override
                    public ShardId homeOf(BucketId bucket) {
                        return HOME;
                    }

                    @Override
                    public ReplicatedGroup groupOf(ShardId shard) {
                        return metadataGroup;
                    }
                };
        return new MetadataClient(
                map,
                () -> millis,
                Duration.ofMillis(400),
                pause -> {
                    millis += pause;
                    scheduler.pause();
                    return true;
                });
    }

    /** Commands that the shards' machines have taken. */
    long entries() {
        return metadataGroup.entries() + indexGroups.stream().mapToLong(SimGroup::entries).sum();
    }

    // ---- maintenance ----

    /** Pumps and closer, new ones: whoever did this before may have crashed. */
    void startMaintenance() {
        List<IndexShardClient> index = index().shards();
        List<ReplicatedMetadataShard> metadata =
                List.of(new ReplicatedMetadataShard(HOME, metadataGroup));
        Map<ShardId, IndexShard> byId = new HashMap<>();
        index.forEach(shard -> byId.put(shard.id(), shard));
        List<OutboxShard> sources = new ArrayList<>(metadata);
        sources.addAll(index);
        for (OutboxShard source : sources) {
            OutboxPump pump = new OutboxPump(source, byId, container -> storage);
            scheduler.start(maintenance, () -> forever(pump::step));
        }
        EpochCloser closer =
                new EpochCloser(
                        control,
                        index.stream().map(shard -> mutant.closing(this, shard)).toList(),
                        metadata.stream().map(shard -> mutant.closing(this, shard)).toList(),
                        List.of(storage));
        scheduler.start(maintenance, () -> forever(closer::step));
        startRededup(metadata);
    }

    /** Under a session of its own; one that did this before is over. */
    private void startRededup(List<ReplicatedMetadataShard> metadata) {
        Session session = control.openSession("maintenance");
        AtomicLong counter = new AtomicLong();
        Rededuper rededuper =
                new Rededuper(
                        index(),
                        mutant.rededup(storage),
                        new ChunkHealer(index(), storage),
                        metadata,
                        () -> new V(session.epoch(), session.session(), counter.getAndIncrement()));
        scheduler.start(rededup, () -> forever(rededuper::step));
    }

    /** What it left expires with its epoch. */
    void stopRededup() {
        scheduler.kill(rededup);
        control.sessions().stream()
                .filter(record -> record.node().equals("maintenance"))
                .forEach(record -> control.endSession(record.session()));
    }

    /** Chunks of live holders that the index does not know of. */
    long unindexed() {
        return liveHolders().stream()
                .flatMap(holder -> manifest(holder).stream())
                .filter(entry -> entry.kind() == ManifestEntry.Kind.UNINDEXED)
                .count();
    }

    private void forever(Runnable step) {
        while (true) {
            try {
                step.run();
            } catch (ReplicationException | ControlException e) {
                // The loop around it tries again.
                scheduler.pause();
            } catch (RuntimeException e) {
                if (!(e.getCause() instanceof ReplicationException)) {
                    throw e;
                }
            }
            scheduler.pause();
        }
    }

    void crashMaintenance() {
        scheduler.kill(maintenance);
        scheduler.kill(rededup);
        startMaintenance();
    }

    void stopMaintenance() {
        scheduler.kill(maintenance);
    }

    boolean work() {
        boolean worked = metadataGroup.work();
        for (SimGroup group : indexGroups) {
            worked |= group.work();
        }
        return worked;
    }

    void limitEntries(OptionalLong limit) {
        index().shards().forEach(shard -> quietly(() -> shard.setEntryLimit(limit)));
    }

    void prune() {
        for (IndexShardClient shard : index().shards()) {
            List<Fingerprint> some =
                    shard.uniqueEntries(null, 100).entries().stream()
                            .filter(entry -> random.nextBoolean())
                            .map(PrunableShard.UniqueEntry::fingerprint)
                            .toList();
            long since = millis / 1000 - random.nextInt(20);
            quietly(() -> shard.prune(since, some));
        }
    }

    /** From storage, for a while: its stream falls behind the others. */
    void cutOffSomeShard() {
        storage.cutOff(
                switch (random.nextInt(5)) {
                    case 0 -> HOME;
                    case 1, 2 -> ShardId.index(random.nextInt(INDEX_SHARDS));
                    default -> null;
                });
    }

    private static void quietly(Runnable command) {
        try {
            command.run();
        } catch (ReplicationException e) {
            return;
        }
    }

    // ---- what planted bugs do ----

    boolean isIndexed(Fingerprint fingerprint) {
        return index().lookup(List.of(fingerprint)).getFirst().isPresent();
    }

    FateRow.Fate fate(V v) {
        return metadataGroup.readLocal(rows -> MetadataRows.fate(rows, v));
    }

    boolean isHolder(V v) {
        return metadataGroup.readLocal(MetadataRows::holdersInUse).contains(v);
    }

    void forgetFates(int epoch) {
        metadataGroup.change(rows -> MetadataRows.forgetFates(rows, epoch));
    }

    /** A verdict that keeps nothing, by a stream that nothing else is in. */
    void confirmNothing(V v, ShardId shard) {
        SimGroup group = indexGroups.get(shard.number());
        long last =
                group.readLocal(
                        rows -> new Inbox(new Destination.Shard(shard)).lastApplied(rows, ASIDE));
        byte[] verdict = MessageCodec.encode(new IndexMessage.Confirm(v, new Retained.None()));
        new IndexShardClient(shard, group).deliver(ASIDE, last + 1, List.of(verdict));
    }

    // ---- what holds ----

    /** Of every version and every part, what the manifests say. */
    Set<ChunkAddress> liveAddresses() {
        return addresses(liveHolders());
    }

    /** I3: what must not be freed; of holders that nobody can see yet, or any more, too. */
    private Set<ChunkAddress> heldAddresses() {
        Set<V> holders = liveHolders();
        holders.addAll(metadataGroup.readLocal(MetadataRows::holdersInUse));
        return addresses(holders);
    }

    private Set<ChunkAddress> addresses(Set<V> holders) {
        Set<ChunkAddress> addresses = new TreeSet<>();
        for (V holder : holders) {
            for (ManifestEntry entry : manifest(holder)) {
                if (entry.kind() != ManifestEntry.Kind.ZERO) {
                    addresses.add(entry.reference().address());
                }
            }
        }
        return addresses;
    }

    /** All rows of it. */
    List<ManifestEntry> manifest(V holder) {
        List<ManifestEntry> entries = new ArrayList<>();
        long offset = 0;
        Optional<MetadataService.ManifestStretch> row = manifestFrom(holder, offset);
        if (row.isEmpty()) {
            throw new AssertionError("holder " + holder + " is gone");
        }
        while (row.isPresent()) {
            entries.addAll(row.get().entries());
            offset += row.get().entries().stream().mapToLong(ManifestEntry::length).sum();
            row = manifestFrom(holder, offset);
        }
        return entries;
    }

    private Optional<MetadataService.ManifestStretch> manifestFrom(V holder, long offset) {
        return observer.readManifest(BUCKET, ObjectKey.of("a"), holder, offset);
    }

    private Set<V> liveHolders() {
        Set<V> holders = new HashSet<>();
        for (String name : KEYS) {
            ObjectKey key = ObjectKey.of(name);
            for (ObjectVersion version : versions(key)) {
                observer.openVersion(BUCKET, key, Optional.of(version.id()))
                        .ifPresent(stored -> add(stored.body(), holders));
            }
            for (Upload upload : uploads(key)) {
                holders.addAll(
                        metadataGroup.readLocal(
                                rows -> MetadataRows.holdersOfParts(rows, upload.id())));
            }
        }
        return holders;
    }

    /** Entries whose bytes are said to be damaged, or whole again. */
    void suspect() {
        for (IndexShardClient shard : index().shards()) {
            List<Fingerprint> fingerprints =
                    shard.uniqueEntries(null, 100).entries().stream()
                            .filter(entry -> random.nextInt(3) == 0)
                            .map(PrunableShard.UniqueEntry::fingerprint)
                            .toList();
            List<ChunkReference> references = new ArrayList<>();
            List<Optional<ChunkAddress>> addresses = index().lookup(fingerprints);
            for (int i = 0; i < fingerprints.size(); i++) {
                Fingerprint fingerprint = fingerprints.get(i);
                addresses
                        .get(i)
                        .ifPresent(at -> references.add(new ChunkReference(fingerprint, at)));
            }
            List<ChunkReference> healed = suspects.getOrDefault(shard.id(), List.of());
            quietly(() -> shard.markSuspect(healed, false));
            quietly(() -> shard.markSuspect(references, true));
            suspects.put(shard.id(), references);
        }
    }

    /** Delete markers, too. */
    List<ObjectVersion> versions(ObjectKey key) {
        List<ObjectVersion> versions = new ArrayList<>();
        Optional<MetadataService.VersionMarker> after = Optional.empty();
        boolean first = true;
        while (first || after.isPresent()) {
            first = false;
            MetadataService.VersionPage page =
                    observer.listVersions(BUCKET, key.text(), Optional.empty(), after, 7);
            page.lines()
                    .forEach(
                            line ->
                                    versions.add(
                                            ((MetadataService.ListedVersion.Version) line)
                                                    .version()));
            after = page.next();
        }
        return versions;
    }

    void changeVersioning() {
        versioning = random.nextBoolean() ? Versioning.ENABLED : Versioning.SUSPENDED;
    }

    private List<Upload> uploads(ObjectKey key) {
        return observer.listUploads(BUCKET, key.text(), Optional.empty(), Optional.empty(), 1000)
                .uploads();
    }

    private static void add(Body body, Set<V> holders) {
        for (Segment segment : MetadataService.segmentsOf(body)) {
            holders.add(segment.holder());
        }
    }

    /** The books balance and nothing was ever missing. */
    void checkBooks(String where) {
        for (IndexShardClient shard : index().shards()) {
            IndexStatistics statistics = shard.statistics();
            assertThat(statistics.anomalies()).as("%s: anomalies", where).isZero();
            assertThat(statistics.unreadable()).as("%s: unreadable", where).isZero();
            assertThat(statistics.audit().failures()).as("%s: audit", where).isZero();
            assertThat(statistics.audit().balanced()).as("%s: books", where).isTrue();
        }
    }

    /** After everything has come to rest and all epochs are closed (I5). */
    void checkRest(String where) {
        checkBooks(where);
        for (IndexShardClient shard : index().shards()) {
            IndexStatistics statistics = shard.statistics();
            assertThat(statistics.openIntents()).as("%s: intents", where).isZero();
            assertThat(statistics.settlingIntents()).as("%s: settling", where).isZero();
            assertThat(statistics.zombies()).as("%s: zombies", where).isZero();
        }
        assertThat(metadataGroup.readLocal(MetadataRows::leftovers))
                .as("%s: rows of attempts and of what was to be done", where)
                .isEmpty();
        assertThat(metadataGroup.readLocal(MetadataRows::holders))
                .as("%s: holders", where)
                .isEqualTo(liveHolders());
        assertThat(storage.written()).as("%s: orphans", where).isEmpty();
        assertThat(storage.adopted()).as("%s: slots in use", where).isEqualTo(liveAddresses());
    }

    boolean isQuiet() {
        return !control.hasEpochsToClose()
                && control.epochClosing().isEmpty()
                && network.lateCount() == 0
                && streamsAreEmpty();
    }

    private boolean streamsAreEmpty() {
        List<OutboxShard> sources = new ArrayList<>(index().shards());
        sources.add(new ReplicatedMetadataShard(HOME, metadataGroup));
        return sources.stream().allMatch(source -> source.readyStreams(null, 1).isEmpty());
    }
}
