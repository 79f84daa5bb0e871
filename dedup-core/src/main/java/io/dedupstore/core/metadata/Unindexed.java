package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.Refusal;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Chunks that holders own without the index: which holders have some, and what becomes of them when
 * the index takes them in after all.
 */
final class Unindexed {
    private final ShardEntry entry;
    private final RowWriter rows;

    Unindexed(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
    }

    /** A row of the holder's manifest begins to count, or counts no more. */
    void count(V holder, int change) {
        if (change == 0) {
            return;
        }
        byte[] key = rows.keys.of(RowKeys.Kind.UNINDEXED, holder);
        MetadataProto.UnindexedRow row =
                rows.get(RowKeys.ROWS, key, MetadataProto.UnindexedRow.parser());
        // Holders that the first release wrote have no such row.
        int slots = (row == null ? 0 : row.getSlots()) + change;
        if (slots > 0) {
            rows.put(key, MetadataProto.UnindexedRow.newBuilder().setSlots(slots).build());
        } else if (row != null) {
            rows.delete(key);
        }
    }

    /** Swaps all or none: a holder that is not as it was seen is refused. */
    Reply swap(MetadataCommand.SwapReferences command) {
        V holder = command.holder();
        new Holders(entry).live(holder);
        if (rows.rows().get(RowKeys.ROWS, rows.keys.of(RowKeys.Kind.INSTALL, holder)) != null) {
            throw changed(holder, "is being installed");
        }
        Map<ChunkAddress, Swap> swaps = new HashMap<>();
        command.swaps().forEach(swap -> swaps.put(swap.unindexed(), swap));
        Set<ChunkAddress> found = new HashSet<>();
        Map<Integer, List<ManifestEntry>> before = new TreeMap<>();
        for (int row : command.rows()) {
            List<ManifestEntry> entries = rows.manifest(holder, row);
            if (entries == null) {
                throw changed(holder, "has no row " + row);
            }
            before.put(row, entries);
            entries.stream()
                    .filter(one -> swapOf(one, swaps) != null)
                    .forEach(one -> found.add(one.reference().address()));
        }
        if (found.size() != swaps.size()) {
            throw changed(holder, "does not have all of these chunks unindexed");
        }
        before.forEach((row, entries) -> rewrite(holder, row, entries, swaps));
        entry.messages().free(slots(found));
        return Replies.ok();
    }

    private static Refused changed(V holder, String how) {
        return new Refused(Refusal.SOURCE_CHANGED, "holder " + holder + " " + how);
    }

    private static @Nullable Swap swapOf(ManifestEntry entry, Map<ChunkAddress, Swap> swaps) {
        if (entry.kind() != ManifestEntry.Kind.UNINDEXED) {
            return null;
        }
        Swap swap = swaps.get(entry.reference().address());
        return swap != null && swap.fingerprint().equals(entry.reference().fingerprint())
                ? swap
                : null;
    }

    private void rewrite(
            V holder, int row, List<ManifestEntry> before, Map<ChunkAddress, Swap> swaps) {
        List<ManifestEntry> after = new ArrayList<>(before.size());
        for (ManifestEntry one : before) {
            Swap swap = swapOf(one, swaps);
            after.add(
                    swap == null
                            ? one
                            : new ManifestEntry(
                                    ManifestEntry.Kind.INDEXED,
                                    swap.fingerprint(),
                                    swap.indexed(),
                                    one.length(),
                                    one.sums()));
        }
        ChunkTally old = ChunkTally.of(before);
        ChunkTally now = ChunkTally.of(after);
        rows.replaceManifest(holder, row, after);
        entry.countUnindexed(now.unindexedBytes() - old.unindexedBytes());
        count(holder, now.unindexedSlots() - old.unindexedSlots());
    }

    private static SortedMap<ContainerId, SortedSet<Integer>> slots(Set<ChunkAddress> addresses) {
        SortedMap<ContainerId, SortedSet<Integer>> slots = new TreeMap<>();
        addresses.forEach(
                address ->
                        slots.computeIfAbsent(address.container(), c -> new TreeSet<>())
                                .add(address.slot()));
        return slots;
    }
}
