package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.StateMachine;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Index shards of one Raft group. A command concerns one shard and is answered; it is thrown only
 * when the store fails or its kind is of a newer release.
 *
 * <p>No command touches more than some thousand rows ({@link StepSize}). Those that could are cut:
 * items delivered are applied as far as the bound allows and the rest is sent again; verdicts over
 * many chunks, tombstones of closed epochs and the collection of zombies go on by {@link
 * #pendingWork}.
 */
public final class IndexStateMachine implements StateMachine {
    private final Set<ShardId> shards;

    /** A machine that hosts these index shards. */
    public IndexStateMachine(List<ShardId> shards) {
        this.shards = Set.copyOf(shards);
    }

    /** The tables that entries are in; all others are small. */
    public static List<Table> entryTables() {
        return List.of(IndexTables.UNIQUE, IndexTables.DUPLICATE);
    }

    @Override
    public List<Table> tables() {
        return IndexTables.ALL;
    }

    @Override
    public byte[] apply(KvTransaction rows, byte[] command) {
        return IndexReplyCodec.encode(reply(rows, command));
    }

    private IndexReply reply(KvTransaction rows, byte[] bytes) {
        IndexCommand command;
        try {
            command = IndexCommandCodec.decode(bytes);
        } catch (IllegalArgumentException e) {
            return refused(IndexReply.Refused.Code.MALFORMED, String.valueOf(e.getMessage()));
        }
        if (!shards.contains(command.shard())) {
            return refused(
                    IndexReply.Refused.Code.NOT_HOSTED, command.shard() + " is not hosted here");
        }
        ShardTransaction shard = new ShardTransaction(rows, command.shard());
        IndexReply reply = apply(shard, command);
        shard.save();
        return reply;
    }

    private static IndexReply refused(IndexReply.Refused.Code code, String reason) {
        return new IndexReply.Refused(code, reason);
    }

    private static IndexReply apply(ShardTransaction shard, IndexCommand command) {
        return switch (command) {
            case IndexCommand.Claim claim -> Claims.apply(shard, claim);
            case IndexCommand.Deliver deliver -> deliver(shard, deliver);
            case IndexCommand.Acknowledge(ShardId id, List<StreamPosition> streams) -> {
                shard.outbox.acknowledge(shard.rows, streams);
                yield new IndexReply.Done();
            }
            case IndexCommand.RefuseEpoch(ShardId id, int epoch) -> new Epochs(shard).refuse(epoch);
            case IndexCommand.ForgetEpoch(ShardId id, int epoch) -> new Epochs(shard).forget(epoch);
            case IndexCommand.AnnounceClosed(ShardId id, int epoch, List<ContainerId> containers) ->
                    new Epochs(shard).announceClosed(epoch, containers);
            case IndexCommand.Continue(ShardId id, StepSize step) -> goOn(shard, step);
            case IndexCommand.SetEntryLimit(ShardId id, OptionalLong entries) -> {
                shard.state.entryLimit = entries.orElse(ShardState.NO_LIMIT);
                yield new IndexReply.Done();
            }
            case IndexCommand.Prune prune -> new Pruning(shard).apply(prune);
            case IndexCommand.BeginRebuild begin -> new Rebuilding(shard).begin(begin);
            case IndexCommand.ResumeStreams(ShardId id, List<StreamPosition> streams) ->
                    new Rebuilding(shard).resume(streams);
            case IndexCommand.Rebuild rebuild -> new Rebuilding(shard).fill(rebuild);
            case IndexCommand.FinishRebuild(ShardId id, List<IndexCommand.Source> sources) ->
                    new Rebuilding(shard).finish(sources);
            case IndexCommand.MarkSuspect(
                            ShardId id,
                            boolean suspect,
                            List<ChunkReference> references) ->
                    markSuspect(shard, suspect, references);
        };
    }

    private static IndexReply deliver(ShardTransaction shard, IndexCommand.Deliver deliver) {
        if (shard.state.rebuild != ShardState.Rebuild.NONE) {
            return Rebuilding.refused();
        }
        Inbox inbox = new Inbox(new Destination.Shard(shard.shard));
        long first = deliver.firstSequence();
        int count = deliver.messages().size();
        return switch (inbox.arrival(shard.rows, deliver.source(), first, count)) {
            case Inbox.Arrival.Gap(long last) -> new IndexReply.Gap(last);
            case Inbox.Arrival.Apply(int skip) -> {
                if (skip == count) {
                    yield new IndexReply.Delivered(inbox.lastApplied(shard.rows, deliver.source()));
                }
                long last = first - 1 + applyBounded(shard, deliver, skip);
                inbox.applied(shard.rows, deliver.source(), last);
                yield new IndexReply.Delivered(last);
            }
        };
    }

    /** Applies the item at {@code from} and more as long as the bound on rows allows; how far. */
    private static int applyBounded(
            ShardTransaction shard, IndexCommand.Deliver deliver, int from) {
        List<byte[]> messages = deliver.messages();
        Settlement settlement = new Settlement(shard, deliver.step());
        int rows = 0;
        int next = from;
        while (next < messages.size()) {
            IndexMessage message = MessageCodec.decodeIndex(messages.get(next));
            rows += settlement.cost(message);
            if (rows > deliver.step().rows() && next > from) {
                break;
            }
            settlement.apply(deliver.source(), message);
            next++;
        }
        return next;
    }

    private static IndexReply goOn(ShardTransaction shard, StepSize size) {
        if (shard.state.rebuild != ShardState.Rebuild.NONE) {
            if (shard.state.rebuild == ShardState.Rebuild.WIPING) {
                new Rebuilding(shard).wipe();
            }
            return new IndexReply.Done();
        }
        if (shard.state.settlingIntents > 0 && new Settlement(shard, size).resume()) {
            return new IndexReply.Done();
        }
        if (shard.state.cleanedEpoch < shard.state.forgottenEpoch) {
            new Epochs(shard).clean();
        } else if (shard.state.zombies > 0) {
            new Condemnation(shard).step(size.zombies());
        }
        return new IndexReply.Done();
    }

    private static IndexReply markSuspect(
            ShardTransaction shard, boolean suspect, List<ChunkReference> references) {
        shard.entries.load(references.stream().map(ChunkReference::fingerprint).toList());
        for (ChunkReference reference : references) {
            EntryRows.Slot slot = shard.entries.of(reference.fingerprint());
            Entry entry = slot.entry();
            if (entry != null && entry.address().equals(reference.address())) {
                slot.set(entry.suspect(suspect));
            }
        }
        return new IndexReply.Done();
    }

    @Override
    public Optional<byte[]> pendingWork(KvReader rows) {
        return shards.stream()
                .filter(shard -> ShardState.load(rows, IndexTables.prefix(shard)).workLeft())
                .min(ShardId::compareTo)
                .map(shard -> IndexCommandCodec.encode(new IndexCommand.Continue(shard)));
    }
}
