package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.metadata.MetadataCommand.Request;
import io.dedupstore.core.metadata.MetadataProto.FateRow;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.metadata.MetadataProto.Reply.Status;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.StateMachine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One or more metadata shards run by one Raft group.
 *
 * <p>A request of a gateway is taken in this order, and the order is what makes repeated and late
 * copies harmless: the fate of its V (COMMITTED: the recorded outcome again; ABORTED: the recorded
 * refusal), then its epoch (closed: the outcome is not known here), then what the command asks for.
 * A request that is refused writes nothing but its fate. A request that succeeds writes its rows,
 * its fate and all messages that follow from it in one entry.
 *
 * <p>Work that is too large for an entry (releasing a large holder, dropping 10,000 parts) waits in
 * rows with cursors; {@link #pendingWork} proposes the next step until there is none. No command
 * touches more than 4,096 rows.
 */
public final class MetadataStateMachine implements StateMachine {
    private static final List<Table> TABLES = tableList();

    private final List<ShardId> shards;
    private final int indexShards;

    /**
     * @param shards the metadata shards of this group
     * @param indexShards number of index shards of the cluster; fixed for its life
     */
    public MetadataStateMachine(Collection<ShardId> shards, int indexShards) {
        this.shards = List.copyOf(new TreeSet<>(shards));
        this.indexShards = indexShards;
        for (ShardId shard : this.shards) {
            if (shard.kind() != ShardId.Kind.METADATA) {
                throw new IllegalArgumentException("not a metadata shard: " + shard);
            }
        }
        if (this.shards.isEmpty() || indexShards < 1 || indexShards > ShardId.MAX_SHARDS) {
            throw new IllegalArgumentException("no shards");
        }
    }

    private static List<Table> tableList() {
        List<Table> tables = new ArrayList<>();
        tables.add(RowKeys.OBJECTS);
        tables.add(RowKeys.MANIFESTS);
        tables.add(RowKeys.ROWS);
        tables.addAll(Outbox.TABLES);
        return List.copyOf(tables);
    }

    @Override
    public List<Table> tables() {
        return TABLES;
    }

    @Override
    public byte[] apply(KvTransaction rows, byte[] command) {
        return Replies.encode(apply(rows, CommandDecoder.decode(command)));
    }

    private Reply apply(KvTransaction rows, MetadataCommand command) {
        if (!shards.contains(command.shard())) {
            return Replies.of(Status.NOT_HOSTED, command.shard() + " is not hosted here");
        }
        ShardEntry entry = new ShardEntry(rows, command.shard(), indexShards);
        Reply reply = apply(entry, command);
        entry.finish();
        return reply;
    }

    private static Reply apply(ShardEntry entry, MetadataCommand command) {
        return switch (command) {
            case Request request -> handle(entry, request);
            case MetadataCommand.Resolve resolve -> {
                new Fates(entry).resolve(resolve.v(), resolve.asking());
                yield Replies.ok();
            }
            case MetadataCommand.RefuseEpoch refuse -> new Epochs(entry).refuse(refuse.epoch());
            case MetadataCommand.ForgetEpoch forget -> new Epochs(entry).forget(forget.epoch());
            case MetadataCommand.AnnounceClosed closed -> new Epochs(entry).announceClosed(closed);
            case MetadataCommand.Acknowledge ack -> {
                entry.messages().acknowledge(ack.streams());
                yield Replies.ok();
            }
            case MetadataCommand.Work work -> {
                new BackgroundWork(entry, work.size()).step();
                yield Replies.ok();
            }
        };
    }

    private static Reply handle(ShardEntry entry, Request request) {
        Fates fates = new Fates(entry);
        V v = request.v();
        FateRow fate = fates.of(v);
        if (fate != null) {
            return answerAgain(fates, fate, request);
        }
        if (v.epoch() <= entry.shard().getRefusedEpoch()) {
            return Replies.of(Status.STALE, "epoch " + v.epoch() + " is closed");
        }
        entry.tick(request.timeMillis());
        int writes = entry.rows().transaction().writeCount();
        try {
            Reply outcome = execute(entry, request);
            switch (request) {
                case MetadataCommand.SendRow row -> {}
                case MetadataCommand.Abandon abandon -> {}
                case Request other -> fates.commit(v, outcome, request.claimed());
            }
            return outcome;
        } catch (Refused e) {
            if (entry.rows().transaction().writeCount() != writes) {
                throw new IllegalStateException("a refused request has written rows", e);
            }
            Reply refusal = Replies.refused(e.refusal(), e.getMessage());
            fates.abort(v, refusal, request.claimed().keySet());
            return refusal;
        }
    }

    /** A request whose V has been decided. */
    private static Reply answerAgain(Fates fates, FateRow fate, Request request) {
        boolean committed = fate.getFate() == FateRow.Fate.COMMITTED;
        return switch (request) {
            case MetadataCommand.Abandon abandon -> {
                if (!committed) {
                    fates.abortMore(abandon.v(), fate, abandon.named());
                }
                yield Replies.ok();
            }
            case MetadataCommand.SendRow row -> committed ? Replies.ok() : fate.getOutcome();
            case Request other -> fate.getOutcome();
        };
    }

    private static Reply execute(ShardEntry entry, Request request) {
        return switch (request) {
            case MetadataCommand.SendRow row -> new ObjectOperations(entry).sendRow(row);
            case MetadataCommand.CommitEarlier earlier ->
                    new ObjectOperations(entry).commitEarlier(earlier);
            case MetadataCommand.PutObject put -> new ObjectOperations(entry).put(put);
            case MetadataCommand.DeleteObject delete -> new ObjectOperations(entry).delete(delete);
            case MetadataCommand.TagObject tag -> new VersionChanges(entry).tag(tag);
            case MetadataCommand.SetRetention set -> new VersionChanges(entry).setRetention(set);
            case MetadataCommand.SetLegalHold set -> new VersionChanges(entry).setLegalHold(set);
            case MetadataCommand.AclObject acl -> new VersionChanges(entry).setAcl(acl);
            case MetadataCommand.CopyObject copy -> new ObjectOperations(entry).copy(copy);
            case MetadataCommand.SealBucket seal -> new ObjectOperations(entry).seal(seal);
            case MetadataCommand.SwapReferences swap -> new Unindexed(entry).swap(swap);
            case MetadataCommand.CreateUpload create -> new UploadOperations(entry).create(create);
            case MetadataCommand.PutPart put -> new UploadOperations(entry).putPart(put);
            case MetadataCommand.CopyPart copy -> new UploadOperations(entry).copyPart(copy);
            case MetadataCommand.CompleteUpload complete ->
                    new UploadOperations(entry).complete(complete);
            case MetadataCommand.AbortUpload abort -> new UploadOperations(entry).abort(abort);
            case MetadataCommand.Abandon abandon -> {
                new Fates(entry)
                        .abort(
                                abandon.v(),
                                Replies.refused(
                                        MetadataProto.Refusal.ABORTED, Fates.givenUp(abandon.v())),
                                abandon.named());
                yield Replies.ok();
            }
        };
    }

    @Override
    public Optional<byte[]> pendingWork(KvReader rows) {
        List<ShardId> pending = new ArrayList<>();
        long turns = 0;
        for (ShardId shard : shards) {
            MetadataProto.ShardRow row = new RowReader(rows, shard).shard();
            turns += row.getGarbageHead();
            if (BackgroundWork.isPending(row)) {
                pending.add(shard);
            }
        }
        if (pending.isEmpty()) {
            return Optional.empty();
        }
        // Every item that is done moves the turn on, so that no shard waits for ever.
        ShardId next = pending.get((int) (turns % pending.size()));
        return Optional.of(CommandEncoder.encode(new MetadataCommand.Work(next)));
    }
}
