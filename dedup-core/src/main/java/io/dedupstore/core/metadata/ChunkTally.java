package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one manifest row refers to. A chunk that is in the row several times is one reference.
 *
 * @param indexed in order of first appearance
 * @param unindexed slots by container
 * @param unindexedBytes plain bytes of those slots
 * @param zeros how many zero chunks there are of each length
 */
record ChunkTally(
        Map<Fingerprint, ChunkReference> indexed,
        SortedMap<ContainerId, SortedSet<Integer>> unindexed,
        long unindexedBytes,
        SortedMap<Integer, Integer> zeros) {

    int unindexedSlots() {
        return unindexed.values().stream().mapToInt(SortedSet::size).sum();
    }

    static ChunkTally of(List<ManifestEntry> entries) {
        Map<Fingerprint, ChunkReference> indexed = new LinkedHashMap<>();
        SortedMap<ContainerId, SortedSet<Integer>> unindexed = new TreeMap<>();
        SortedMap<Integer, Integer> zeros = new TreeMap<>();
        long unindexedBytes = 0;
        for (ManifestEntry entry : entries) {
            switch (entry.kind()) {
                case ZERO -> zeros.merge(entry.length(), 1, Integer::sum);
                case INDEXED ->
                        indexed.putIfAbsent(entry.reference().fingerprint(), entry.reference());
                case UNINDEXED -> {
                    ChunkAddress address = entry.reference().address();
                    if (unindexed
                            .computeIfAbsent(address.container(), c -> new TreeSet<>())
                            .add(address.slot())) {
                        unindexedBytes += entry.length();
                    }
                }
            }
        }
        return new ChunkTally(indexed, unindexed, unindexedBytes, zeros);
    }
}
