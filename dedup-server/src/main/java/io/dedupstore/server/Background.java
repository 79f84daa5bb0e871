package io.dedupstore.server;

import io.dedupstore.core.control.ClusterLayout;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.maintenance.ChunkHealer;
import io.dedupstore.core.maintenance.EpochCloser;
import io.dedupstore.core.maintenance.OutboxPump;
import io.dedupstore.core.maintenance.Rededuper;
import io.dedupstore.core.metadata.ReplicatedMetadataShard;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.OutboxShard;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.server.cluster.BackgroundWork;
import io.dedupstore.server.cluster.GatewaySessions;
import io.dedupstore.server.cluster.PeriodicWork;
import io.dedupstore.server.cluster.WorkingGroup;
import io.dedupstore.server.config.MaintenanceConfig;
import io.dedupstore.server.raft.RaftGroup;
import io.dedupstore.server.storage.LocalChunkStore;
import io.dedupstore.server.storage.StorageNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The sessions of this process and the work behind the data path, wired to the node's own shards.
 */
final class Background implements AutoCloseable {
    private static final int MAX_COUNTED_INTENTS = 10_000;
    private static final Duration LOOK_FOR_UNINDEXED_EVERY = Duration.ofSeconds(5);
    private static final Duration LOOK_AT_SESSIONS_EVERY = Duration.ofMinutes(1);

    private final NodeCore core;
    private final GatewaySessions sessions;
    private final PeriodicWork renewal;
    private final ExecutorService deliveries;
    private final BackgroundWork work;
    private final ChunkHealer healer;
    private final DamageDesk damage;
    private final Rededuper rededuper;
    private final PeriodicWork rededup;

    Background(
            MaintenanceConfig config,
            NodeCore core,
            StorageNode storage,
            LocalChunkStore chunks,
            GatewaySessions sessions) {
        this.core = core;
        this.sessions = sessions;
        this.renewal = new PeriodicWork("sessions", LOOK_AT_SESSIONS_EVERY, sessions::step);
        List<IndexShardClient> index = core.index().shards();
        List<ReplicatedMetadataShard> metadata =
                core.control().layout().metadata().stream()
                        .map(id -> new ReplicatedMetadataShard(id, core.shards().groupOf(id)))
                        .toList();
        // What pumps send can wait, but for verdicts, and must not be in the way of requests.
        List<IndexShardClient> patientIndex =
                index.stream()
                        .map(shard -> new IndexShardClient(shard.id(), core.indexGroup().patient()))
                        .toList();
        Map<ShardId, IndexShard> byId =
                index.stream()
                        .map(
                                shard ->
                                        new IndexShardClient(
                                                shard.id(),
                                                core.indexGroup(),
                                                core.indexGroup().patient()))
                        .collect(Collectors.toMap(IndexShard::id, shard -> shard));
        List<OutboxShard> sources = new ArrayList<>();
        metadata.forEach(
                shard ->
                        sources.add(
                                new ReplicatedMetadataShard(
                                        shard.id(), core.metadataGroup().patient())));
        sources.addAll(patientIndex);
        ReleaseGate gate =
                new ReleaseGate(
                        this::itemsForIndex,
                        config.releasesInFlight(),
                        pressure -> {
                            core.metadataGroup().pacer().pressure(pressure);
                            core.indexGroup().pacer().pressure(pressure);
                        });
        this.deliveries =
                Executors.newFixedThreadPool(
                        config.deliveryThreads(),
                        Thread.ofPlatform().daemon().name("deliver-", 0).factory());
        List<OutboxPump> pumps =
                sources.stream()
                        .map(
                                source ->
                                        new OutboxPump(
                                                source, byId, container -> storage, deliveries))
                        .toList();
        this.work =
                new BackgroundWork(
                        pumps,
                        List.of(
                                working(core.metadataGroup(), gate),
                                working(core.indexGroup(), () -> true)),
                        new EpochCloser(core.control(), index, metadata, List.of(storage)));
        this.healer = new ChunkHealer(core.index(), chunks);
        this.damage = new DamageDesk(healer);
        storage.onDamage(
                (container, slot, fingerprint) ->
                        damage.report(new ChunkAddress(container, slot), fingerprint));
        chunks.onDamage(chunk -> damage.report(chunk.address(), Optional.of(chunk.fingerprint())));
        this.rededuper = new Rededuper(core.index(), chunks, healer, metadata, sessions);
        this.rededup = new PeriodicWork("re-dedup", LOOK_FOR_UNINDEXED_EVERY, rededuper::step);
    }

    /** Chunks that were stored without the index and refer to it now. */
    Rededuper.Totals rededuped() {
        return rededuper.totals();
    }

    ChunkHealer healer() {
        return healer;
    }

    private static WorkingGroup working(RaftGroup group, BooleanSupplier gate) {
        return new WorkingGroup(
                group.name(), group.machine(), group.patient(), group::onApplied, gate);
    }

    /** Items that metadata shards have sent to the index and it has not applied. */
    long itemsForIndex() {
        ClusterLayout layout = core.control().layout();
        return core.metadataGroup()
                .readLocal(
                        rows ->
                                layout.metadata().stream()
                                        .map(Outbox::new)
                                        .flatMapToLong(
                                                outbox ->
                                                        layout.index().stream()
                                                                .map(Destination.Shard::new)
                                                                .mapToLong(
                                                                        to ->
                                                                                outbox.position(
                                                                                                rows,
                                                                                                to)
                                                                                        .undelivered()))
                                        .sum());
    }

    void start() {
        work.start();
        renewal.start();
        rededup.start();
        damage.start();
    }

    GatewaySessions sessions() {
        return sessions;
    }

    /** Undecided attempts of one epoch, as far as anyone would count them. */
    long openIntents(int epoch) {
        return core.index().shards().stream()
                .flatMap(shard -> shard.openIntents(epoch, MAX_COUNTED_INTENTS).stream())
                .filter(intent -> intent.v().epoch() == epoch)
                .count();
    }

    /** Whether nothing is left to deliver or to work off. */
    boolean isQuiet() {
        return work.isQuiet();
    }

    @Override
    public void close() {
        renewal.close();
        rededup.close();
        damage.close();
        work.close();
        deliveries.shutdown();
        sessions.close();
    }
}
