package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.PrunableShard;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.ReplicatedGroup;
import io.dedupstore.core.state.ReplicationException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One index shard, through the Raft group that hosts it. */
public final class IndexShardClient implements IndexShard, PrunableShard {
    private final ShardId shard;
    private final ReplicatedGroup group;
    private final ReplicatedGroup releases;
    private final Outbox outbox;

    public IndexShardClient(ShardId shard, ReplicatedGroup group) {
        this(shard, group, group);
    }

    /**
     * Verdicts have to keep pace with claims, or what was claimed stays to be settled; releases do
     * not.
     *
     * @param releases the same group for deliveries that have releases among them
     */
    public IndexShardClient(ShardId shard, ReplicatedGroup group, ReplicatedGroup releases) {
        this.shard = shard;
        this.group = group;
        this.releases = releases;
        this.outbox = new Outbox(shard);
    }

    @Override
    public ShardId id() {
        return shard;
    }

    @Override
    public long deliver(ShardId source, long firstSequence, List<byte[]> messages) {
        if (messages.isEmpty()) {
            Inbox inbox = new Inbox(new Destination.Shard(shard));
            return group.read(rows -> inbox.lastApplied(rows, source));
        }
        IndexCommand command = new IndexCommand.Deliver(shard, source, firstSequence, messages);
        boolean verdicts = messages.stream().noneMatch(MessageCodec::isRelease);
        IndexReply reply = submit(verdicts ? group : releases, command);
        return switch (reply) {
            case IndexReply.Delivered(long lastApplied) -> lastApplied;
            case IndexReply.Gap(long lastApplied) ->
                    throw new ReplicationException(
                            ReplicationException.Code.NOT_ACCEPTED,
                            "the stream from "
                                    + source
                                    + " to "
                                    + shard
                                    + " has a gap: applied up to "
                                    + lastApplied
                                    + ", delivered from "
                                    + firstSequence);
            case IndexReply.Refused(IndexReply.Refused.Code code, String reason)
                    when code == IndexReply.Refused.Code.REBUILDING ->
                    throw new ReplicationException(
                            ReplicationException.Code.NOT_ACCEPTED, shard + ": " + reason);
            case IndexReply.Claimed claimed -> throw unexpected(claimed);
            case IndexReply.Refused refused -> throw unexpected(refused);
            case IndexReply.Pruned pruned -> throw unexpected(pruned);
            case IndexReply.Done done -> throw unexpected(done);
        };
    }

    @Override
    public List<OpenIntent> openIntents(int epoch, int limit) {
        return group.readLocal(rows -> IndexQueries.openIntents(rows, shard, epoch, limit));
    }

    @Override
    public List<Destination> readyStreams(@Nullable Destination after, int limit) {
        return group.readLocal(rows -> outbox.ready(rows, after, limit));
    }

    @Override
    public Run read(Destination stream, int maxItems) {
        Outbox.Run run = group.readLocal(rows -> outbox.read(rows, stream, maxItems));
        return new Run(run.firstSequence(), run.messages());
    }

    @Override
    public void acknowledge(List<StreamPosition> positions) {
        done(new IndexCommand.Acknowledge(shard, positions));
    }

    @Override
    public void refuseEpoch(int epoch) {
        done(new IndexCommand.RefuseEpoch(shard, epoch));
    }

    @Override
    public boolean settled(int epoch) {
        return group.read(rows -> IndexQueries.settled(rows, shard, epoch));
    }

    @Override
    public void forgetEpoch(int epoch) {
        done(new IndexCommand.ForgetEpoch(shard, epoch));
    }

    /** CLOSED is cumulative, so repeating part of it after a failure is harmless. */
    @Override
    public void announceClosed(int epoch, List<ContainerId> containers) {
        int most = IndexCommand.AnnounceClosed.MAX_CONTAINERS;
        for (int from = 0; from < containers.size(); from += most) {
            int to = Math.min(from + most, containers.size());
            done(new IndexCommand.AnnounceClosed(shard, epoch, containers.subList(from, to)));
        }
    }

    /** No entries are added while there are this many; empty for no limit. */
    public void setEntryLimit(OptionalLong entries) {
        done(new IndexCommand.SetEntryLimit(shard, entries));
    }

    /** Marks chunks whose bytes could not be read (at most 1,024), or clears the mark. */
    public void markSuspect(List<ChunkReference> references, boolean suspect) {
        done(new IndexCommand.MarkSuspect(shard, suspect, references));
    }

    @Override
    public UniqueRun uniqueEntries(@Nullable Fingerprint after, int rows) {
        return local(reader -> IndexQueries.uniqueEntries(reader, shard, after, rows));
    }

    @Override
    public Pruned prune(long untouchedSince, List<Fingerprint> fingerprints) {
        IndexReply reply = submit(new IndexCommand.Prune(shard, untouchedSince, fingerprints));
        if (reply instanceof IndexReply.Pruned(int entries, long bytes)) {
            return new Pruned(entries, bytes);
        }
        throw unexpected(reply);
    }

    // ---- rebuilding ----

    /** Whether nothing has ever happened here. */
    public boolean isNew() {
        return group.read(rows -> IndexQueries.isNew(rows, shard));
    }

    /** Whether the shard takes no claims because it is being made anew. */
    public boolean isRebuilding() {
        return rebuild() != ShardState.Rebuild.NONE;
    }

    /** Whether what it held is gone, so that it may be filled. */
    public boolean isWiped() {
        return rebuild() == ShardState.Rebuild.FILLING;
    }

    private ShardState.Rebuild rebuild() {
        return local(rows -> IndexQueries.rebuild(rows, shard));
    }

    /**
     * Throws away what the shard holds, in the background, and takes no claims until {@link
     * #finishRebuild}.
     */
    public void beginRebuild(int refusedEpoch, int forgottenEpoch) {
        done(new IndexCommand.BeginRebuild(shard, refusedEpoch, forgottenEpoch));
    }

    /** Where streams to containers go on; at most {@link StreamPosition#MAX_STREAMS}. */
    public void resumeStreams(List<StreamPosition> streams) {
        done(new IndexCommand.ResumeStreams(shard, streams));
    }

    /** Some of what manifests say, at most {@link IndexCommand.Rebuild#MAX_ITEMS} in all. */
    public void rebuild(
            long timeSeconds,
            List<RebuiltEntry> entries,
            List<RebuiltEntry> forgotten,
            List<ChunkAddress> freed) {
        done(new IndexCommand.Rebuild(shard, timeSeconds, entries, forgotten, freed));
    }

    public void finishRebuild(List<IndexCommand.Source> sources) {
        done(new IndexCommand.FinishRebuild(shard, sources));
    }

    /** What there is of these fingerprints, in the order asked; may be stale. */
    public List<Known> find(List<Fingerprint> fingerprints) {
        return local(rows -> IndexQueries.find(rows, shard, fingerprints));
    }

    /** Whose chunk is at an address; reads the whole shard. */
    public Optional<Fingerprint> fingerprintAt(ChunkAddress address) {
        return local(
                rows -> {
                    AtomicReference<@Nullable Fingerprint> found = new AtomicReference<>();
                    new IndexCut(rows, shard)
                            .forEachEntry(
                                    entry -> {
                                        if (address.equals(entry.address())) {
                                            found.set(entry.fingerprint());
                                        }
                                        return found.get() == null;
                                    });
                    return Optional.ofNullable(found.get());
                });
    }

    public IndexStatistics statistics() {
        return local(rows -> IndexQueries.statistics(rows, shard));
    }

    <T> T local(Function<KvReader, T> query) {
        return group.readLocal(query);
    }

    private void done(IndexCommand command) {
        IndexReply reply = submit(command);
        if (!(reply instanceof IndexReply.Done)) {
            throw unexpected(reply);
        }
    }

    IndexReply submit(IndexCommand command) {
        return submit(group, command);
    }

    private static IndexReply submit(ReplicatedGroup to, IndexCommand command) {
        return IndexReplyCodec.decode(to.submit(IndexCommandCodec.encode(command)));
    }

    private IllegalStateException unexpected(IndexReply reply) {
        return reply instanceof IndexReply.Refused(IndexReply.Refused.Code code, String reason)
                ? new IllegalStateException(shard + " refused (" + code + "): " + reason)
                : new IllegalStateException(shard + " answered " + reply);
    }
}
