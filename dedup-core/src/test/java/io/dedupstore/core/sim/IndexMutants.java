package io.dedupstore.core.sim;

import io.dedupstore.core.index.IndexCommand;
import io.dedupstore.core.index.IndexCommandCodec;
import io.dedupstore.core.index.IndexQueries;
import io.dedupstore.core.index.IndexReply;
import io.dedupstore.core.index.IndexReplyCodec;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.StateMachine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Bugs around the machine of the index shards. */
final class IndexMutants {
    private static final Table ANSWERS = new Table("index-answers", Table.Profile.ONCE);
    private static final Table INTENTS = new Table("index-intents", Table.Profile.QUEUE);
    private static final Table TOMBSTONES = new Table("index-tombstones", Table.Profile.QUEUE);
    private static final Table STATE = new Table("index-state", Table.Profile.QUEUE);
    private static final byte[] ALL = new byte[0];
    private static final byte UNINDEXED = 3;

    private IndexMutants() {}

    private interface Change {
        IndexCommand of(KvReader rows, IndexCommand command);
    }

    private static StateMachine changed(StateMachine machine, Change change) {
        return new Altered(machine) {
            @Override
            byte[] alter(KvTransaction rows, byte[] command) {
                IndexCommand before = IndexCommandCodec.decode(command);
                return IndexCommandCodec.encode(change.of(rows, before));
            }
        };
    }

    private interface Damage {
        void to(KvTransaction rows, IndexCommand command, IndexReply reply);
    }

    private static StateMachine damaged(StateMachine machine, Damage damage) {
        return new Altered(machine) {
            @Override
            public byte[] apply(KvTransaction rows, byte[] command) {
                byte[] reply = super.apply(rows, command);
                damage.to(rows, IndexCommandCodec.decode(command), IndexReplyCodec.decode(reply));
                return reply;
            }
        };
    }

    // ---- streams ----

    static StateMachine redelivered(StateMachine machine) {
        return changed(
                machine,
                (rows, command) -> {
                    if (!(command instanceof IndexCommand.Deliver deliver)) {
                        return command;
                    }
                    long applied =
                            new Inbox(new Destination.Shard(deliver.shard()))
                                    .lastApplied(rows, deliver.source());
                    return new IndexCommand.Deliver(
                            deliver.shard(),
                            deliver.source(),
                            Math.max(deliver.firstSequence(), applied + 1),
                            deliver.messages());
                });
    }

    static StateMachine reordered(StateMachine machine) {
        return changed(machine, (rows, command) -> withMessages(command, List::reversed));
    }

    static StateMachine dropsItemsOfRefusedEpochs(StateMachine machine) {
        return changed(
                machine,
                (rows, command) -> {
                    int refused = refusedEpoch(rows, command.shard());
                    return withEach(command, m -> isOf(m, refused) ? nothing() : m);
                });
    }

    private static int refusedEpoch(KvReader rows, ShardId shard) {
        byte[] row = rows.get(STATE, new byte[] {0, (byte) shard.number(), 0});
        return row == null ? 0 : ByteBuffer.wrap(row).getInt(1);
    }

    private static boolean isOf(IndexMessage message, int epoch) {
        return switch (message) {
            case IndexMessage.Confirm confirm -> confirm.v().epoch() <= epoch;
            case IndexMessage.Abort abort -> abort.v().epoch() <= epoch;
            case IndexMessage.Release release -> release.holder().epoch() <= epoch;
            case IndexMessage.Audit audit -> false;
        };
    }

    private static IndexMessage nothing() {
        return new IndexMessage.Abort(new V(Integer.MAX_VALUE, 1, 1));
    }

    // ---- references ----

    static StateMachine releasesWithoutAddress(StateMachine machine) {
        return changed(
                machine,
                (rows, command) ->
                        withEach(
                                command,
                                message -> atPresentAddress(rows, command.shard(), message)));
    }

    private static IndexMessage atPresentAddress(
            KvReader rows, ShardId shard, IndexMessage message) {
        if (!(message instanceof IndexMessage.Release(V v, List<ChunkReference> references))) {
            return message;
        }
        List<ChunkReference> moved = new ArrayList<>();
        for (ChunkReference reference : references) {
            moved.add(
                    address(rows, shard, reference.fingerprint())
                            .map(at -> new ChunkReference(reference.fingerprint(), at))
                            .orElse(reference));
        }
        return new IndexMessage.Release(v, moved);
    }

    static StateMachine freesByFingerprint(StateMachine machine) {
        return damaged(
                machine,
                (rows, command, reply) -> {
                    for (ChunkReference released : released(command)) {
                        address(rows, command.shard(), released.fingerprint())
                                .filter(at -> !at.equals(released.address()))
                                .ifPresent(at -> free(rows, command.shard(), at));
                    }
                });
    }

    static StateMachine freesBeforeCondemning(StateMachine machine) {
        return damaged(
                machine,
                (rows, command, reply) -> {
                    if (IndexQueries.statistics(rows, command.shard()).zombies() > 0) {
                        released(command)
                                .forEach(one -> free(rows, command.shard(), one.address()));
                    }
                });
    }

    static StateMachine prunesIgnoringIntents(StateMachine machine) {
        return new Altered(machine) {
            @Override
            public byte[] apply(KvTransaction rows, byte[] command) {
                if (!(IndexCommandCodec.decode(command) instanceof IndexCommand.Prune)) {
                    return super.apply(rows, command);
                }
                Map<byte[], byte[]> hidden = new TreeMap<>(Arrays::compareUnsigned);
                try (KvCursor cursor = rows.scan(INTENTS, ALL, null)) {
                    while (cursor.next()) {
                        hidden.put(cursor.key(), cursor.value());
                    }
                }
                hidden.keySet().forEach(key -> rows.delete(INTENTS, key.clone()));
                byte[] reply = super.apply(rows, command);
                hidden.forEach((key, value) -> rows.put(INTENTS, key, value));
                return reply;
            }
        };
    }

    // ---- claims ----

    static StateMachine forgetsUnindexed(StateMachine machine) {
        return damaged(
                machine,
                (rows, command, reply) ->
                        Altered.deleteWhere(
                                rows, ANSWERS, ALL, (key, value) -> value[0] == UNINDEXED));
    }

    static StateMachine forgetsConfirmed(StateMachine machine) {
        return forgetsDecided(
                machine,
                message ->
                        message instanceof IndexMessage.Confirm confirm
                                ? Optional.of(confirm.v())
                                : Optional.empty());
    }

    static StateMachine forgetsAborted(StateMachine machine) {
        return forgetsDecided(
                machine,
                message ->
                        message instanceof IndexMessage.Abort abort
                                ? Optional.of(abort.v())
                                : Optional.empty());
    }

    private static StateMachine forgetsDecided(
            StateMachine machine, Function<IndexMessage, Optional<V>> decided) {
        return damaged(
                machine,
                (rows, command, reply) -> {
                    Set<V> forgotten = new HashSet<>();
                    for (IndexMessage message : messages(command)) {
                        decided.apply(message).ifPresent(forgotten::add);
                    }
                    Altered.deleteWhere(
                            rows,
                            TOMBSTONES,
                            ALL,
                            (key, value) ->
                                    forgotten.contains(V.read(ByteBuffer.wrap(key).position(2))));
                });
    }

    static StateMachine freesRefusedOffers(StateMachine machine) {
        return damaged(
                machine,
                (rows, command, reply) -> {
                    if (command instanceof IndexCommand.Claim claim
                            && reply instanceof IndexReply.Refused) {
                        for (ClaimItem item : claim.items()) {
                            if (item.offered() != null) {
                                free(rows, claim.shard(), item.offered());
                            }
                        }
                    }
                });
    }

    // ---- what they share ----

    private static IndexCommand withMessages(
            IndexCommand command, UnaryOperator<List<byte[]>> change) {
        return command instanceof IndexCommand.Deliver deliver
                ? new IndexCommand.Deliver(
                        deliver.shard(),
                        deliver.source(),
                        deliver.firstSequence(),
                        change.apply(deliver.messages()))
                : command;
    }

    private static IndexCommand withEach(IndexCommand command, UnaryOperator<IndexMessage> change) {
        return withMessages(
                command,
                messages ->
                        messages.stream()
                                .map(MessageCodec::decodeIndex)
                                .map(change)
                                .map(MessageCodec::encode)
                                .toList());
    }

    private static List<IndexMessage> messages(IndexCommand command) {
        return command instanceof IndexCommand.Deliver deliver
                ? deliver.messages().stream().map(MessageCodec::decodeIndex).toList()
                : List.of();
    }

    private static List<ChunkReference> released(IndexCommand command) {
        List<ChunkReference> released = new ArrayList<>();
        for (IndexMessage message : messages(command)) {
            if (message instanceof IndexMessage.Release release) {
                released.addAll(release.references());
            }
        }
        return released;
    }

    private static Optional<ChunkAddress> address(
            KvReader rows, ShardId shard, Fingerprint fingerprint) {
        return IndexQueries.lookup(rows, shard, List.of(fingerprint)).getFirst();
    }

    private static void free(KvTransaction rows, ShardId shard, ChunkAddress address) {
        new Outbox(shard)
                .append(
                        rows,
                        new Destination.Container(address.container()),
                        new StorageMessage.Free(new int[] {address.slot()}));
    }
}
