package io.dedupstore.core.index;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.IndexShard.OpenIntent;
import io.dedupstore.core.spi.PrunableShard.UniqueEntry;
import io.dedupstore.core.spi.PrunableShard.UniqueRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads of one index shard's rows. */
public final class IndexQueries {
    private IndexQueries() {}

    /**
     * Addresses of known chunks, in the order asked. Suspect and unreadable entries count as
     * unknown: a claim of theirs needs the bytes.
     */
    public static List<Optional<ChunkAddress>> lookup(
            KvReader rows, ShardId shard, List<Fingerprint> fingerprints) {
        List<Optional<ChunkAddress>> addresses = new ArrayList<>(fingerprints.size());
        byte[] prefix = IndexTables.prefix(shard);
        for (byte @Nullable [] value : EntryRows.values(rows, prefix, fingerprints)) {
            addresses.add(
                    Optional.ofNullable(value)
                            .flatMap(Entry::read)
                            .filter(entry -> !entry.suspect())
                            .map(Entry::address));
        }
        return addresses;
    }

    /** What there is of these fingerprints, in the order asked. */
    static List<Known> find(KvReader rows, ShardId shard, List<Fingerprint> fingerprints) {
        List<Known> found = new ArrayList<>(fingerprints.size());
        byte[] prefix = IndexTables.prefix(shard);
        for (byte @Nullable [] value : EntryRows.values(rows, prefix, fingerprints)) {
            found.add(value == null ? new Known.Absent() : known(Entry.read(value)));
        }
        return found;
    }

    private static Known known(Optional<Entry> entry) {
        return entry.isEmpty()
                ? new Known.Unreadable()
                : new Known.Present(
                        entry.get().address(), entry.get().length(), entry.get().suspect());
    }

    public static IndexStatistics statistics(KvReader rows, ShardId shard) {
        byte[] prefix = IndexTables.prefix(shard);
        ShardState state = ShardState.load(rows, prefix);
        Histogram histogram = HistogramRows.read(rows, prefix);
        long once = histogram.buckets().getFirst().chunks();
        return new IndexStatistics(
                once + state.zombies,
                state.entries - once - state.zombies,
                state.zombies,
                state.zombieBytes,
                state.openIntents,
                state.settlingIntents,
                state.entryLimit,
                state.unreadable,
                state.anomalies,
                state.pruned,
                state.prunedBytes,
                new IndexStatistics.Ghosts(
                        Ghosts.SAMPLE * state.ghosts,
                        Ghosts.SAMPLE * state.ghostHits,
                        Ghosts.SAMPLE * state.ghostHitBytes),
                Audit.load(rows, prefix).statistics(state.settlingIntents == 0),
                histogram);
    }

    /** Entries with one reference among the next rows of the table that holds them. */
    static UniqueRun uniqueEntries(
            KvReader rows, ShardId shard, @Nullable Fingerprint after, int limit) {
        byte[] prefix = IndexTables.prefix(shard);
        byte[] from = after == null ? prefix : Bytes.successor(IndexTables.key(prefix, after));
        List<UniqueEntry> entries = new ArrayList<>();
        Fingerprint last = null;
        int seen = 0;
        try (KvCursor cursor =
                rows.scan(IndexTables.UNIQUE, from, Bytes.successorOfPrefix(prefix))) {
            while (seen < limit && cursor.next()) {
                seen++;
                Fingerprint fingerprint = IndexTables.fingerprintOf(cursor.key());
                last = fingerprint;
                Entry.read(cursor.value())
                        .filter(entry -> !entry.zombie() && !entry.suspect())
                        .ifPresent(
                                entry ->
                                        entries.add(
                                                new UniqueEntry(
                                                        fingerprint,
                                                        entry.touched(),
                                                        entry.length())));
            }
        }
        return new UniqueRun(entries, seen == limit ? last : null);
    }

    /** Undecided attempts of epochs up to this one, oldest first; settling ones are decided. */
    public static List<OpenIntent> openIntents(KvReader rows, ShardId shard, int epoch, int limit) {
        byte[] prefix = IndexTables.prefix(shard);
        List<OpenIntent> open = new ArrayList<>();
        try (KvCursor cursor =
                rows.scan(IndexTables.INTENTS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (open.size() < limit && cursor.next()) {
                V v = IndexTables.vOf(cursor.key());
                if (v.epoch() > epoch) {
                    break;
                }
                Intent intent = Intent.read(cursor.value());
                if (intent.open()) {
                    open.add(new OpenIntent(v, intent.coordinator()));
                }
            }
        }
        return open;
    }

    /** Whether no attempt of epochs up to this one is open or being settled. */
    public static boolean settled(KvReader rows, ShardId shard, int epoch) {
        return rebuild(rows, shard) == ShardState.Rebuild.NONE
                && Epochs.settled(rows, IndexTables.prefix(shard), epoch);
    }

    static ShardState.Rebuild rebuild(KvReader rows, ShardId shard) {
        return ShardState.load(rows, IndexTables.prefix(shard)).rebuild;
    }

    /** Whether the shard has ever been told anything. */
    static boolean isNew(KvReader rows, ShardId shard) {
        byte[] state = IndexTables.stateKey(IndexTables.prefix(shard));
        return rows.get(IndexTables.STATE, state) == null;
    }
}
