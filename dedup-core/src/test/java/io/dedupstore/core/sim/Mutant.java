package io.dedupstore.core.sim;

import io.dedupstore.core.index.IndexCommand;
import io.dedupstore.core.index.IndexCommandCodec;
import io.dedupstore.core.index.IndexQueries;
import io.dedupstore.core.index.IndexReply;
import io.dedupstore.core.index.IndexReplyCodec;
import io.dedupstore.core.index.IndexStateMachine;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import io.dedupstore.core.state.StateMachine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A bug planted around the production code: each is a sentence of the protocol that is not kept.
 * The simulation must find every one of them.
 */
enum Mutant {
    NONE,

    /** The receiver applies what it has applied before. */
    OUTBOX_REDELIVERED,

    /** Two items that arrive together change places. */
    OUTBOX_REORDERED,

    /** A RELEASE counts down whatever entry its fingerprint has now. */
    RELEASE_WITHOUT_ADDRESS,

    /** A chunk is freed when its last reference goes, not when its entry is condemned. */
    FREE_BEFORE_CONDEMN,

    /** A later CLAIM of the same attempt may be answered otherwise. */
    UNINDEXED_NOT_RECORDED,

    /** Nothing remembers that an attempt was decided. */
    LATE_CLAIM_AFTER_VERDICT,

    /** A CLAIM that comes too late gives back what it offers. */
    REFUSED_CLAIM_FREES,

    /** CONFIRM and RELEASE of epochs that are refused are dropped. */
    MIN_EPOCH_DROPS_OUTBOX_ITEMS,

    /** Attempts of a closing epoch still commit. */
    COMMIT_WITHOUT_EPOCH_CHECK,

    /** A repeated COMMIT or DELETE takes effect again. */
    FATE_FORGOTTEN,

    /** The address of a claim without an answer is used after all. */
    UNKNOWN_ADDRESS_AS_UNINDEXED,

    /** Orphans go when one shard has closed their epoch. */
    ONE_STREAM_NOT_WAITED_FOR;

    private static final Table ANSWERS = new Table("index-answers", Table.Profile.ONCE);
    private static final Table TOMBSTONES = new Table("index-tombstones", Table.Profile.QUEUE);
    private static final Table METADATA = new Table("metadata", Table.Profile.SCAN);
    private static final byte UNINDEXED = 3;
    private static final byte FATE = 'F';

    /** The shards whose CLOSED a storage node waits for. */
    Set<ShardId> requiredStreams(Set<ShardId> all) {
        return this == ONE_STREAM_NOT_WAITED_FOR ? Set.of(ShardId.index(0)) : all;
    }

    ChunkStore store(ChunkStore store) {
        return this == UNKNOWN_ADDRESS_AS_UNINDEXED ? new Reusing(store) : store;
    }

    StateMachine metadata(StateMachine machine) {
        return switch (this) {
            case COMMIT_WITHOUT_EPOCH_CHECK ->
                    new Altered(machine) {
                        @Override
                        public byte[] apply(KvTransaction rows, byte[] command) {
                            return MetadataRows.isRequest(command)
                                    ? MetadataRows.withoutRefusedEpoch(
                                            rows, () -> super.apply(rows, command))
                                    : super.apply(rows, command);
                        }
                    };
            case FATE_FORGOTTEN ->
                    new Altered(machine) {
                        @Override
                        public byte[] apply(KvTransaction rows, byte[] command) {
                            byte[] reply = super.apply(rows, command);
                            deleteWhere(rows, METADATA, (key, value) -> key[2] == FATE);
                            return reply;
                        }
                    };
            default -> machine;
        };
    }

    StateMachine index(StateMachine machine) {
        return switch (this) {
            case OUTBOX_REDELIVERED ->
                    new Altered(machine) {
                        @Override
                        IndexCommand alter(KvReader rows, IndexCommand command) {
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
                        }
                    };
            case OUTBOX_REORDERED ->
                    new Altered(machine) {
                        @Override
                        IndexCommand alter(KvReader rows, IndexCommand command) {
                            return withMessages(command, messages -> messages.reversed());
                        }
                    };
            case RELEASE_WITHOUT_ADDRESS ->
                    new Altered(machine) {
                        @Override
                        IndexCommand alter(KvReader rows, IndexCommand command) {
                            return withEach(
                                    command,
                                    message -> atPresentAddress(rows, command.shard(), message));
                        }
                    };
            case MIN_EPOCH_DROPS_OUTBOX_ITEMS ->
                    new Altered(machine) {
                        private int refused;

                        @Override
                        IndexCommand alter(KvReader rows, IndexCommand command) {
                            if (command instanceof IndexCommand.RefuseEpoch refuse) {
                                refused = Math.max(refused, refuse.epoch());
                            }
                            return withEach(command, m -> isOf(m, refused) ? nothing() : m);
                        }
                    };
            case FREE_BEFORE_CONDEMN ->
                    new Altered(machine) {
                        @Override
                        public byte[] apply(KvTransaction rows, byte[] bytes) {
                            List<ChunkReference> released = released(bytes);
                            byte[] reply = super.apply(rows, bytes);
                            ShardId shard = IndexCommandCodec.decode(bytes).shard();
                            long zombies = IndexQueries.statistics(rows, shard).zombies();
                            if (zombies > 0) {
                                released.forEach(one -> free(rows, shard, one.address()));
                            }
                            return reply;
                        }
                    };
            case UNINDEXED_NOT_RECORDED ->
                    new Altered(machine) {
                        @Override
                        public byte[] apply(KvTransaction rows, byte[] command) {
                            byte[] reply = super.apply(rows, command);
                            deleteWhere(rows, ANSWERS, (key, value) -> value[0] == UNINDEXED);
                            return reply;
                        }
                    };
            case LATE_CLAIM_AFTER_VERDICT ->
                    new Altered(machine) {
                        @Override
                        public byte[] apply(KvTransaction rows, byte[] command) {
                            byte[] reply = super.apply(rows, command);
                            deleteWhere(rows, TOMBSTONES, (key, value) -> true);
                            return reply;
                        }
                    };
            case REFUSED_CLAIM_FREES ->
                    new Altered(machine) {
                        @Override
                        public byte[] apply(KvTransaction rows, byte[] bytes) {
                            byte[] reply = super.apply(rows, bytes);
                            if (IndexCommandCodec.decode(bytes) instanceof IndexCommand.Claim claim
                                    && IndexReplyCodec.decode(reply)
                                            instanceof IndexReply.Refused) {
                                for (ClaimItem item : claim.items()) {
                                    if (item.offered() != null) {
                                        free(rows, claim.shard(), item.offered());
                                    }
                                }
                            }
                            return reply;
                        }
                    };
            default -> machine;
        };
    }

    // ---- how they are made ----

    /** A machine whose commands are changed before, or whose rows behind. */
    private static class Altered implements StateMachine {
        private final StateMachine machine;

        Altered(StateMachine machine) {
            this.machine = machine;
        }

        IndexCommand alter(KvReader rows, IndexCommand command) {
            return command;
        }

        @Override
        public List<Table> tables() {
            return machine.tables();
        }

        @Override
        public byte[] apply(KvTransaction rows, byte[] bytes) {
            return machine.apply(rows, altered(rows, bytes));
        }

        private byte[] altered(KvReader rows, byte[] bytes) {
            if (!(machine instanceof IndexStateMachine)) {
                return bytes;
            }
            return IndexCommandCodec.encode(alter(rows, IndexCommandCodec.decode(bytes)));
        }

        @Override
        public Optional<byte[]> pendingWork(KvReader rows) {
            return machine.pendingWork(rows);
        }
    }

    private interface RowTest {
        boolean test(byte[] key, byte[] value);
    }

    private static void deleteWhere(KvTransaction rows, Table table, RowTest test) {
        List<byte[]> doomed = new ArrayList<>();
        try (KvCursor cursor = rows.scan(table, new byte[0], null)) {
            while (cursor.next()) {
                if (test.test(cursor.key(), cursor.value())) {
                    doomed.add(cursor.key());
                }
            }
        }
        doomed.forEach(key -> rows.delete(table, key));
    }

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

    private static IndexMessage atPresentAddress(
            KvReader rows, ShardId shard, IndexMessage message) {
        if (!(message instanceof IndexMessage.Release(V v, List<ChunkReference> references))) {
            return message;
        }
        List<ChunkReference> moved = new ArrayList<>();
        for (ChunkReference reference : references) {
            Fingerprint fingerprint = reference.fingerprint();
            moved.add(
                    IndexQueries.lookup(rows, shard, List.of(fingerprint))
                            .getFirst()
                            .map(address -> new ChunkReference(fingerprint, address))
                            .orElse(reference));
        }
        return new IndexMessage.Release(v, moved);
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

    private static List<ChunkReference> released(byte[] command) {
        List<ChunkReference> released = new ArrayList<>();
        if (IndexCommandCodec.decode(command) instanceof IndexCommand.Deliver deliver) {
            for (byte[] message : deliver.messages()) {
                if (MessageCodec.decodeIndex(message) instanceof IndexMessage.Release release) {
                    released.addAll(release.references());
                }
            }
        }
        return released;
    }

    private static void free(KvTransaction rows, ShardId shard, ChunkAddress address) {
        new Outbox(shard)
                .append(
                        rows,
                        new Destination.Container(address.container()),
                        new StorageMessage.Free(new int[] {address.slot()}));
    }

    /** Gives an attempt the slot again that it has for a chunk. */
    private static final class Reusing implements ChunkStore {
        private final ChunkStore store;
        private final Map<List<Object>, ChunkAddress> given = new HashMap<>();

        Reusing(ChunkStore store) {
            this.store = store;
        }

        @Override
        public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
            List<ChunkAddress> addresses = new ArrayList<>();
            for (NewChunk chunk : chunks) {
                List<Object> key = List.of(v, chunk.fingerprint());
                @Nullable ChunkAddress before = given.get(key);
                if (before == null) {
                    before = store.append(v, domain, List.of(chunk)).getFirst();
                    given.put(key, before);
                }
                addresses.add(before);
            }
            return addresses;
        }

        @Override
        public void read(List<Wanted> chunks, ByteBuffer target) {
            store.read(chunks, target);
        }
    }
}
