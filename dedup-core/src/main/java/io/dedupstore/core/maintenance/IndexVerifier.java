package io.dedupstore.core.maintenance;

import io.dedupstore.core.index.IndexCut;
import io.dedupstore.core.kv.KvException;
import io.dedupstore.core.maintenance.Difference.Kind;
import io.dedupstore.core.metadata.MetadataCut;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.SlotCut;
import io.dedupstore.core.state.Outbox.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares manifests, index and slots of a store that goes on working, and names every difference.
 *
 * <p><b>The cut.</b> Views of the three are taken one after another, against the stream of causes:
 * metadata, then index, then slots. So whatever a view refers to was there when the next was taken:
 * a committed holder's claims in the index, an entry's record in its container. What the later view
 * lacks of the earlier one lies in the earlier one's outboxes, and a view together with the items
 * that have not reached it is as good as one of the same moment. Only an item that was sent and
 * applied between the two views would be missing; the positions of both ends show that. The cut is
 * then taken again ({@link #isCoherent}), or, when that goes on and on, the containers concerned
 * are left out and counted. Hence a difference is a fault, whatever is being written.
 *
 * <p><b>What must hold.</b> The references an entry counts are a set: of holders that refer to it,
 * of those whose RELEASE is queued, of open intents; one that is two of these counts once. A
 * reference without entry is that of a pruned one. Whoever is referred to, by an entry or alone,
 * has a slot that was adopted, or an ADOPT on its way; every other adopted slot has a FREE on its
 * way.
 *
 * <p><b>Memory.</b> Everything is kept by address: 12 bytes and a few bits for each slot.
 * Containers are taken as many at a time as a bound on slots allows, and manifests and entries are
 * read once for each such group, from beginning to end. One thread.
 */
public final class IndexVerifier {
    private final Cut cut;
    private final long slotsAtOnce;
    private final int maxNamed;
    private final Watch watch;
    private final Set<ContainerId> known;
    private final Set<ContainerId> moving;
    private final Set<V> intents = new HashSet<>();
    private final Map<V, Set<Fingerprint>> ofIntents = new HashMap<>();
    private final Map<ShardId, Map<V, Retained>> confirmed = new HashMap<>();
    private final List<Difference> named = new ArrayList<>();
    private final Findings findings = new Findings();
    private boolean first = true;
    private boolean stopped;
    private boolean unreadable;
    private long seen;

    /**
     * Views of one store, taken in the order of the components.
     *
     * @param closedEpoch what is closed for the control group
     * @param before containers that were there
     */
    public record Cut(
            int closedEpoch,
            List<ContainerId> before,
            List<MetadataCut> metadata,
            List<IndexCut> index,
            SlotCut slots) {
        public Cut {
            before = List.copyOf(before);
            metadata = List.copyOf(metadata);
            index = List.copyOf(index);
        }
    }

    /** Told how far it is. */
    public interface Watch {
        /** A group of containers begins. */
        void group(int number, int groups);

        /**
         * So many chunks and entries were looked at in this group.
         *
         * @return whether to go on
         */
        boolean at(long done);
    }

    /** Figures that grow as it goes. */
    private static final class Findings {
        private long holders;
        private long references;
        private long unindexed;
        private long entries;
        private long pruned;
        private long slots;
        private long differences;
    }

    /**
     * What was found.
     *
     * @param references to indexed chunks, each once
     * @param pruned of them, without entry
     * @param slots owned ones
     * @param skipped containers whose streams moved too fast
     * @param differences all of them
     * @param named the first
     * @param complete false when it was stopped
     */
    public record Result(
            long holders,
            long references,
            long unindexed,
            long entries,
            long pruned,
            long containers,
            long slots,
            long skipped,
            long differences,
            List<Difference> named,
            boolean complete) {
        public Result {
            named = List.copyOf(named);
        }
    }

    /**
     * @param slotsAtOnce bound on memory: 13 bytes each
     * @param maxNamed differences in the result
     */
    public IndexVerifier(Cut cut, long slotsAtOnce, int maxNamed, Watch watch) {
        this.cut = cut;
        this.slotsAtOnce = slotsAtOnce;
        this.maxNamed = maxNamed;
        this.watch = watch;
        this.moving = moving(cut);
        this.known = new TreeSet<>(cut.slots().containers());
        known.addAll(moving);
    }

    /** Whether nothing was sent and applied between the views. */
    public static boolean isCoherent(Cut cut) {
        return indexFits(cut) && moving(cut).isEmpty();
    }

    /** Whether at least index and metadata fit together; without that nothing can be compared. */
    public static boolean indexFits(Cut cut) {
        for (MetadataCut metadata : cut.metadata()) {
            Map<Destination, Position> streams = metadata.streams();
            for (IndexCut index : cut.index()) {
                long sent = sent(streams, new Destination.Shard(index.shard()));
                if (index.applied(metadata.shard()) > sent) {
                    return false;
                }
            }
        }
        return true;
    }

    private static long sent(Map<Destination, Position> streams, Destination stream) {
        Position position = streams.get(stream);
        return position == null ? 0 : position.appended();
    }

    /** Containers to which something was sent and applied between the views, or that went. */
    private static Set<ContainerId> moving(Cut cut) {
        List<ContainerId> containers = cut.slots().containers();
        Set<ContainerId> moving = new HashSet<>(cut.before());
        containers.forEach(moving::remove);
        cut.index().forEach(index -> addMoving(cut, index.shard(), index.streams(), moving));
        cut.metadata().forEach(shard -> addMoving(cut, shard.shard(), shard.streams(), moving));
        return moving;
    }

    private static void addMoving(
            Cut cut, ShardId source, Map<Destination, Position> streams, Set<ContainerId> moving) {
        for (ContainerId container : cut.slots().containers()) {
            long sent = sent(streams, new Destination.Container(container));
            if (cut.slots().applied(container, source) > sent) {
                moving.add(container);
            }
        }
    }

    // ---- groups of containers ----

    public Result run() {
        cut.index().forEach(index -> index.forEachIntent(intents::add));
        cut.index().forEach(this::noteConfirmed);
        List<NavigableMap<ContainerId, SlotLedger>> groups = new ArrayList<>();
        List<ContainerId> left = new ArrayList<>(known);
        left.removeAll(moving);
        int from = 0;
        int group = 0;
        do {
            NavigableMap<ContainerId, SlotLedger> ledgers = new TreeMap<>();
            from = load(left, from, ledgers);
            int rest = ledgers.isEmpty() ? 0 : Math.ceilDiv(left.size() - from, ledgers.size());
            group++;
            watch.group(group, group + rest);
            seen = 0;
            compare(ledgers);
            first = false;
        } while (from < left.size() && !stopped);
        checkPruned();
        return new Result(
                findings.holders,
                findings.references,
                findings.unindexed,
                findings.entries,
                findings.pruned,
                known.size(),
                findings.slots,
                moving.size(),
                findings.differences,
                named,
                !stopped);
    }

    /** The next containers, as many as may be looked at together; where to go on. */
    private int load(
            List<ContainerId> all, int from, NavigableMap<ContainerId, SlotLedger> ledgers) {
        long slots = 0;
        int next = from;
        while (next < all.size() && slots < slotsAtOnce && !stopped) {
            ContainerId id = all.get(next);
            SlotLedger ledger = new SlotLedger(cut.slots().slots(id, cut.closedEpoch()));
            applyQueued(id, ledger);
            ledgers.put(id, ledger);
            slots += ledger.size();
            next++;
            stopped = !watch.at(0);
        }
        return next;
    }

    /** What is on its way to the container counts as if it had arrived. */
    private void applyQueued(ContainerId id, SlotLedger ledger) {
        for (IndexCut index : cut.index()) {
            index.forEachItem(
                    id, cut.slots().applied(id, index.shard()), item -> apply(item, ledger));
        }
        for (MetadataCut metadata : cut.metadata()) {
            metadata.forEachItem(
                    id, cut.slots().applied(id, metadata.shard()), item -> apply(item, ledger));
        }
    }

    private static void apply(StorageMessage item, SlotLedger ledger) {
        switch (item) {
            case StorageMessage.Adopt(int[] slots) -> ledger.adopt(slots);
            case StorageMessage.Free(int[] slots) -> ledger.free(slots);
            case StorageMessage.Closed(int epoch) -> {}
        }
    }

    private void compare(NavigableMap<ContainerId, SlotLedger> ledgers) {
        for (MetadataCut metadata : cut.metadata()) {
            metadata.forEachHolder(holder -> holder(holder, ledgers));
        }
        for (MetadataCut metadata : cut.metadata()) {
            for (IndexCut index : cut.index()) {
                metadata.forEachRelease(
                        index.shard(),
                        index.applied(metadata.shard()),
                        (v, references) -> released(v, references, ledgers));
            }
        }
        for (IndexCut index : cut.index()) {
            index.forEachClaim((v, fp, address) -> claimed(index.shard(), v, fp, address, ledgers));
        }
        for (IndexCut index : cut.index()) {
            entries(index, ledgers);
        }
        if (!stopped && !unreadable) {
            ledgers.forEach(this::conclude);
        }
    }

    private boolean step(long more) {
        seen += more;
        stopped |= !watch.at(seen);
        return !stopped;
    }

    // ---- references ----

    private boolean holder(
            MetadataCut.Holder holder, NavigableMap<ContainerId, SlotLedger> ledgers) {
        if (first) {
            note(holder);
        }
        holder.indexed().forEach((fp, address) -> refer(fp, address, false, ledgers));
        for (ChunkAddress address : holder.unindexed()) {
            SlotLedger ledger = ledger(address, ledgers);
            // A row of a holder without uses may name what another has freed already.
            boolean given = ledger != null && !holder.inUse() && ledger.freed(address.slot());
            if (ledger != null && !given && !ledger.ownAlone(address.slot(), holder.installing())) {
                differ(Kind.TWO_OWNERS, address, "two holders own it alone");
            }
        }
        return step(1 + holder.chunks());
    }

    private void note(MetadataCut.Holder holder) {
        findings.holders++;
        findings.references += holder.indexed().size();
        findings.unindexed += holder.unindexed().size();
        if (!holder.complete()) {
            differ(
                    Kind.MANIFEST_INCOMPLETE,
                    holder.v(),
                    "a holder in use has not all rows of its manifest");
        }
        if (intents.contains(holder.v())) {
            ofIntent(holder.v()).addAll(holder.indexed().keySet());
        }
    }

    private Set<Fingerprint> ofIntent(V v) {
        return ofIntents.computeIfAbsent(v, key -> new HashSet<>());
    }

    private void released(
            V v, List<ChunkReference> references, NavigableMap<ContainerId, SlotLedger> ledgers) {
        for (ChunkReference reference : references) {
            if (first) {
                findings.references++;
                if (intents.contains(v)) {
                    ofIntent(v).add(reference.fingerprint());
                }
            }
            refer(reference.fingerprint(), reference.address(), false, ledgers);
        }
        step(references.size());
    }

    /** What a verdict on its way leaves to its owner is the owner's already, whatever its name. */
    private void noteConfirmed(IndexCut index) {
        Map<V, Retained> verdicts = new HashMap<>();
        for (MetadataCut metadata : cut.metadata()) {
            metadata.forEachConfirm(index.shard(), index.applied(metadata.shard()), verdicts::put);
        }
        confirmed.put(index.shard(), verdicts);
    }

    private void claimed(
            ShardId shard,
            V v,
            Fingerprint fingerprint,
            ChunkAddress address,
            NavigableMap<ContainerId, SlotLedger> ledgers) {
        Retained verdict = confirmed.getOrDefault(shard, Map.of()).get(v);
        if (verdict != null && verdict.keeps(fingerprint)) {
            return;
        }
        if (!ofIntents.getOrDefault(v, Set.of()).contains(fingerprint)) {
            findings.references += first ? 1 : 0;
            refer(fingerprint, address, true, ledgers);
        }
    }

    private void refer(
            Fingerprint fingerprint,
            ChunkAddress address,
            boolean byIntent,
            NavigableMap<ContainerId, SlotLedger> ledgers) {
        SlotLedger ledger = ledger(address, ledgers);
        if (ledger != null) {
            ledger.refer(address.slot(), fingerprint, byIntent);
        }
    }

    /** Null where the container is of another group, or left out, or nowhere. */
    private @Nullable SlotLedger ledger(
            ChunkAddress address, NavigableMap<ContainerId, SlotLedger> ledgers) {
        SlotLedger ledger = ledgers.get(address.container());
        if (ledger == null && first && !known.contains(address.container())) {
            differ(Kind.NO_CONTAINER, address, "it is referred to, and its container is nowhere");
        }
        return ledger;
    }

    // ---- entries ----

    /** Without all entries nothing can be said of owners and sums; what is readable is compared. */
    private void entries(IndexCut index, NavigableMap<ContainerId, SlotLedger> ledgers) {
        try {
            index.forEachEntry(entry -> entry(entry, ledgers));
        } catch (KvException e) {
            e.requireDamage();
            if (!unreadable) {
                Throwable why = e.getCause() == null ? e : e.getCause();
                differ(
                        Kind.UNREADABLE_TABLE,
                        index.shard(),
                        "a table of entries is damaged, slots were not compared: "
                                + why.getMessage());
            }
            unreadable = true;
        }
    }

    private boolean entry(IndexCut.EntryView entry, NavigableMap<ContainerId, SlotLedger> ledgers) {
        ChunkAddress address = entry.address();
        if (first) {
            findings.entries++;
            note(entry);
        }
        SlotLedger ledger = address == null ? null : ledger(address, ledgers);
        if (address != null && ledger != null) {
            if (!ledger.index(address.slot())) {
                differ(Kind.TWO_OWNERS, address, "two entries have it");
            }
            if (!ledger.agrees(address.slot(), entry.fingerprint(), entry.references())) {
                differ(
                        Kind.REFERENCES_DIFFER,
                        address,
                        "the entry of %s counts %d references, there are %d%s"
                                .formatted(
                                        entry.fingerprint(),
                                        entry.references(),
                                        ledger.count(address.slot()),
                                        entry.references() == ledger.count(address.slot())
                                                ? ", of other fingerprints"
                                                : ""));
            }
        }
        return step(1);
    }

    private void note(IndexCut.EntryView entry) {
        if (entry.address() == null) {
            differ(Kind.UNREADABLE_ENTRY, entry.fingerprint(), "the entry cannot be read");
        } else if (entry.misplaced()) {
            differ(
                    Kind.MISPLACED_ENTRY,
                    entry.fingerprint(),
                    "an entry with %d references is in the wrong table"
                            .formatted(entry.references()));
        }
    }

    // ---- slots ----

    private void conclude(ContainerId container, SlotLedger ledger) {
        for (int slot = 0; slot < ledger.size(); slot++) {
            boolean referred = ledger.count(slot) > 0 && !ledger.indexed(slot);
            if (referred) {
                referredWithoutEntry(new ChunkAddress(container, slot), ledger);
            }
            if (referred || ledger.indexed(slot) || ledger.alone(slot)) {
                findings.slots++;
                owned(new ChunkAddress(container, slot), ledger);
            } else if (!ledger.freed(slot)) {
                ownerless(new ChunkAddress(container, slot), ledger);
            }
        }
    }

    private void referredWithoutEntry(ChunkAddress address, SlotLedger ledger) {
        int references = ledger.count(address.slot());
        findings.pruned += references;
        if (references > 1 || ledger.claimed(address.slot())) {
            differ(
                    Kind.MISSING_ENTRY,
                    address,
                    references
                            + " references, no entry; what is pruned has one, and is no intent's");
        }
    }

    private void owned(ChunkAddress address, SlotLedger ledger) {
        int slot = address.slot();
        if (ledger.alone(slot) && (ledger.indexed(slot) || ledger.count(slot) > 0)) {
            differ(Kind.TWO_OWNERS, address, "one holder owns it alone, others by the index");
        }
        if (ledger.freed(slot)) {
            differ(Kind.FREED_BUT_OWNED, address, "the slot was freed and has an owner");
        } else if (!ledger.adopted(slot)) {
            differ(Kind.NOT_ADOPTED, address, "the slot has an owner and was never adopted");
        }
        if (!ledger.recorded(slot)) {
            differ(Kind.NO_RECORD, address, "the slot has an owner and no record in its file");
        }
    }

    private void ownerless(ChunkAddress address, SlotLedger ledger) {
        if (ledger.adopted(address.slot())) {
            differ(Kind.LEAKED_SLOT, address, "the slot is adopted and nobody owns it");
        } else if (ledger.expired(address.slot())) {
            differ(
                    Kind.ORPHAN_SLOT,
                    address,
                    "its epoch is closed, and the slot was neither adopted nor freed");
        }
    }

    // ---- sums ----

    private void checkPruned() {
        if (stopped || unreadable || !moving.isEmpty()) {
            return;
        }
        long expected = cut.index().stream().mapToLong(index -> index.statistics().pruned()).sum();
        if (expected != findings.pruned) {
            differ(
                    Kind.PRUNED_DIFFER,
                    "index",
                    "%d references have no entry, %d were pruned"
                            .formatted(findings.pruned, expected));
        }
    }

    private void differ(Kind kind, Object where, String detail) {
        findings.differences++;
        if (named.size() < maxNamed) {
            named.add(new Difference(kind, where.toString(), detail));
        }
    }
}
