package io.dedupstore.core.sim;

import io.dedupstore.core.metadata.MetadataProto.FateRow.Fate;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.IndexShard;
import io.dedupstore.core.spi.MetadataShard;
import io.dedupstore.core.state.StateMachine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * A bug planted around the production code: each is a sentence of the protocol that is not kept.
 * The simulation must find every one of them.
 *
 * <p>Two that the design names have nothing yet that they could be planted in, and are left out: a
 * copy that shares an unindexed chunk or its source's address (copies stay within a metadata shard,
 * where holders are shared, or are written anew from the bytes), and a joining replica that misses
 * ADOPT (a container has one replica).
 */
enum Mutant {
    NONE,

    /** A RELEASE that finds another address frees what its fingerprint has now. */
    FREE_BY_FINGERPRINT,

    /** A RELEASE counts down whatever entry its fingerprint has now. */
    RELEASE_WITHOUT_ADDRESS,

    /** An entry that an open intent holds is pruned. */
    PRUNE_IGNORING_INTENTS,

    /** A chunk is freed when its last reference goes, not when its entry is condemned. */
    FREE_BEFORE_CONDEMN,

    /** Attempts of a closing epoch still commit. */
    COMMIT_WITHOUT_EPOCH_CHECK,

    /** A COMMIT that comes again installs its version again. */
    COMMIT_REPEATED_AFTER_AN_OVERWRITE,

    /** A COMMIT that was refused may still succeed when it comes again. */
    FAILED_PRECONDITION_LEAVES_FATE_OPEN,

    /** A chunk is claimed for the index with the address that its holder has by itself. */
    REDEDUP_PUBLISHES_A_LIVE_ADDRESS,

    /** The receiver applies what it has applied before. */
    OUTBOX_REDELIVERED,

    /** Items that arrive together change places. */
    OUTBOX_REORDERED,

    /** A later CLAIM of the same attempt may be answered otherwise. */
    UNINDEXED_NOT_RECORDED,

    /** A CLAIM that comes too late gives back what it offers. */
    REFUSED_CLAIM_FREES,

    /** Nothing remembers that an attempt was confirmed. */
    LATE_CLAIM_AFTER_CONFIRM,

    /** Nothing remembers that an attempt was aborted. */
    LATE_CLAIM_AFTER_ABORT,

    /** The address of a claim without an answer is used after all. */
    UNKNOWN_ADDRESS_AS_UNINDEXED,

    /** An attempt offers what an earlier one of the same gateway appended. */
    ADDRESS_UNDER_ANOTHER_V,

    /** Shards that the manifest has no reference from do not hear of the verdict. */
    CONFIRM_ONLY_TO_ANSWERED_SHARDS,

    /** RESOLVE is answered at once, by what the live version says. */
    VERDICT_OUTSIDE_THE_OUTBOX,

    /** With a version goes what is known of its attempt. */
    FATE_FORGOTTEN_WITH_ITS_VERSION,

    /** Fates of an epoch go while COMMITs of it are still taken. */
    FATES_DROPPED_BEFORE_COMMIT_IS_REFUSED,

    /** CONFIRM and RELEASE of epochs that are refused are dropped. */
    MIN_EPOCH_DROPS_OUTBOX_ITEMS,

    /** Storage takes back what has been unowned for long. */
    ORPHANS_BY_CONTAINER_AGE,

    /** Storage takes back what the index does not know. */
    ORPHANS_BY_ASKING_THE_INDEX,

    /** Orphans go when one shard has closed their epoch. */
    ONE_STREAM_NOT_WAITED_FOR,

    /** CLOSED goes past the items that are still in the stream. */
    ADOPT_AFTER_CLOSED,

    /** A DELETE that comes again deletes again. */
    DELETE_WITHOUT_V,

    /** A holder goes with the first of its uses. */
    HOLDER_RELEASED_AT_ITS_FIRST_LOST_USE,

    /** A version that is set aside gives up what it uses, as an overwritten object does. */
    VERSION_ASIDE_LOSES_ITS_USES,

    /** Nothing says where the null version is when it is not current. */
    NULL_VERSION_FORGOTTEN;

    private static final long OLD_MILLIS = 60_000;
    private static final int LOOKS_BEFORE_REFUSING = 30;

    StateMachine metadata(StateMachine machine) {
        return switch (this) {
            case COMMIT_WITHOUT_EPOCH_CHECK -> MetadataMutants.withoutEpochCheck(machine);
            case COMMIT_REPEATED_AFTER_AN_OVERWRITE -> MetadataMutants.commitsAgain(machine);
            case FAILED_PRECONDITION_LEAVES_FATE_OPEN -> MetadataMutants.leavesFailedOpen(machine);
            case CONFIRM_ONLY_TO_ANSWERED_SHARDS -> MetadataMutants.confirmsToAnsweredOnly(machine);
            case FATE_FORGOTTEN_WITH_ITS_VERSION -> MetadataMutants.forgetsFateWithVersion(machine);
            case DELETE_WITHOUT_V -> MetadataMutants.deletesWithoutV(machine);
            case HOLDER_RELEASED_AT_ITS_FIRST_LOST_USE ->
                    MetadataMutants.releasesAtFirstLostUse(machine);
            case VERSION_ASIDE_LOSES_ITS_USES -> MetadataMutants.givesUpVersionsAside(machine);
            case NULL_VERSION_FORGOTTEN -> MetadataMutants.forgetsNullVersions(machine);
            default -> machine;
        };
    }

    StateMachine index(StateMachine machine) {
        return switch (this) {
            case FREE_BY_FINGERPRINT -> IndexMutants.freesByFingerprint(machine);
            case RELEASE_WITHOUT_ADDRESS -> IndexMutants.releasesWithoutAddress(machine);
            case PRUNE_IGNORING_INTENTS -> IndexMutants.prunesIgnoringIntents(machine);
            case FREE_BEFORE_CONDEMN -> IndexMutants.freesBeforeCondemning(machine);
            case OUTBOX_REDELIVERED -> IndexMutants.redelivered(machine);
            case OUTBOX_REORDERED -> IndexMutants.reordered(machine);
            case UNINDEXED_NOT_RECORDED -> IndexMutants.forgetsUnindexed(machine);
            case REFUSED_CLAIM_FREES -> IndexMutants.freesRefusedOffers(machine);
            case LATE_CLAIM_AFTER_CONFIRM -> IndexMutants.forgetsConfirmed(machine);
            case LATE_CLAIM_AFTER_ABORT -> IndexMutants.forgetsAborted(machine);
            case MIN_EPOCH_DROPS_OUTBOX_ITEMS -> IndexMutants.dropsItemsOfRefusedEpochs(machine);
            default -> machine;
        };
    }

    /** What a gateway appends to. */
    ChunkStore store(ChunkStore store) {
        return switch (this) {
            case UNKNOWN_ADDRESS_AS_UNINDEXED -> new Reusing(store, V::equals);
            case ADDRESS_UNDER_ANOTHER_V -> new Reusing(store, (one, other) -> !one.equals(other));
            default -> store;
        };
    }

    /** The store of whoever deduplicates later. */
    ChunkStore rededup(ChunkStore store) {
        return this == REDEDUP_PUBLISHES_A_LIVE_ADDRESS ? new NotCopying(store) : store;
    }

    /** The shards whose CLOSED a storage node waits for. */
    Set<ShardId> requiredStreams(Set<ShardId> all) {
        return this == ONE_STREAM_NOT_WAITED_FOR ? Set.of(ShardId.index(0)) : all;
    }

    /** What it does now and then of its own accord. */
    void mischief(Cluster cluster) {
        switch (this) {
            case ORPHANS_BY_CONTAINER_AGE ->
                    cluster.storage.reclaimWhere(
                            slot -> slot.bornMillis() < cluster.millis - OLD_MILLIS);
            case ORPHANS_BY_ASKING_THE_INDEX ->
                    cluster.storage.reclaimWhere(
                            slot -> slot.refused() && !cluster.isIndexed(slot.fingerprint()));
            default -> {}
        }
    }

    /** A metadata shard as the closer of epochs sees it. */
    MetadataShard closing(Cluster cluster, MetadataShard shard) {
        return switch (this) {
            case ADOPT_AFTER_CLOSED -> new Overtaking(cluster, shard);
            case VERDICT_OUTSIDE_THE_OUTBOX ->
                    new AlteredShard(shard) {
                        @Override
                        public void resolve(V v, ShardId asking) {
                            if (cluster.fate(v) != Fate.COMMITTED || cluster.isHolder(v)) {
                                super.resolve(v, asking);
                            } else {
                                cluster.confirmNothing(v, asking);
                            }
                        }
                    };
            case FATES_DROPPED_BEFORE_COMMIT_IS_REFUSED ->
                    new AlteredShard(shard) {
                        private int looks;
                        private int forgotten;

                        @Override
                        public void refuseEpoch(int epoch) {}

                        @Override
                        public void forgetEpoch(int epoch) {
                            cluster.forgetFates(epoch);
                        }

                        @Override
                        public boolean settled(int epoch) {
                            if (forgotten < epoch && ++looks % LOOKS_BEFORE_REFUSING == 0) {
                                super.refuseEpoch(epoch);
                                super.forgetEpoch(epoch);
                                forgotten = epoch;
                            }
                            return forgotten >= epoch && super.settled(epoch);
                        }
                    };
            default -> shard;
        };
    }

    /** An index shard as the closer of epochs sees it. */
    IndexShard closing(Cluster cluster, IndexShard shard) {
        return this == ADOPT_AFTER_CLOSED ? new Overtaking(cluster, shard) : shard;
    }

    /** Says CLOSED without waiting for its stream. */
    private static final class Overtaking extends AlteredShard {
        private final Cluster cluster;

        Overtaking(Cluster cluster, MetadataShard shard) {
            super(shard);
            this.cluster = cluster;
        }

        Overtaking(Cluster cluster, IndexShard shard) {
            super(shard);
            this.cluster = cluster;
        }

        @Override
        public void announceClosed(int epoch, List<ContainerId> containers) {
            for (ContainerId container : containers) {
                cluster.storage.closed(container, id(), epoch);
            }
        }
    }

    /** Gives out the slot again that a chunk was appended to before. */
    private static final class Reusing implements ChunkStore {
        private final ChunkStore store;
        private final BiPredicate<V, V> reuses;
        private final Map<Fingerprint, Appended> last = new HashMap<>();

        private record Appended(V v, ChunkAddress address) {}

        /**
         * @param reuses whether an attempt takes what another one, or itself, appended
         */
        Reusing(ChunkStore store, BiPredicate<V, V> reuses) {
            this.store = store;
            this.reuses = reuses;
        }

        @Override
        public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
            List<ChunkAddress> addresses = new ArrayList<>();
            for (NewChunk chunk : chunks) {
                Appended before = last.get(chunk.fingerprint());
                if (before == null || !reuses.test(before.v(), v)) {
                    ChunkAddress address = store.append(v, domain, List.of(chunk)).getFirst();
                    before = new Appended(v, address);
                    last.put(chunk.fingerprint(), before);
                }
                addresses.add(before.address());
            }
            return addresses;
        }

        @Override
        public List<ChunkAddress> copy(V v, List<Wanted> chunks) {
            return store.copy(v, chunks);
        }

        @Override
        public boolean heal(ChunkAddress damaged, Wanted whole) {
            return store.heal(damaged, whole);
        }

        @Override
        public void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener) {
            store.read(chunks, target, opener);
        }
    }

    /** Says that a chunk was copied, and names where it was. */
    private record NotCopying(ChunkStore store) implements ChunkStore {
        @Override
        public List<ChunkAddress> append(V v, DomainId domain, List<NewChunk> chunks) {
            return store.append(v, domain, chunks);
        }

        @Override
        public List<ChunkAddress> copy(V v, List<Wanted> chunks) {
            return chunks.stream().map(Wanted::address).toList();
        }

        @Override
        public boolean heal(ChunkAddress damaged, Wanted whole) {
            return store.heal(damaged, whole);
        }

        @Override
        public void read(List<Wanted> chunks, ByteBuffer target, ChunkOpener opener) {
            store.read(chunks, target, opener);
        }
    }
}
