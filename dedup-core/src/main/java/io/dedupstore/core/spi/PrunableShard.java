package io.dedupstore.core.spi;

import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An index shard as pruning sees it: entries that only one holder refers to. Blocking. */
public interface PrunableShard {
    ShardId id();

    /**
     * An entry with one reference.
     *
     * @param touched seconds since 1970 of its last claim
     * @param length plain bytes of its chunk
     */
    record UniqueEntry(Fingerprint fingerprint, long touched, int length) {}

    /**
     * A run of entries in order of fingerprint; it may be stale and need not be of one moment.
     *
     * @param last where to go on behind; null when the table has been seen to its end
     */
    record UniqueRun(List<UniqueEntry> entries, @Nullable Fingerprint last) {
        public UniqueRun {
            entries = List.copyOf(entries);
        }
    }

    /** The entries behind {@code after} (null: from the start) among the next {@code rows} rows. */
    UniqueRun uniqueEntries(@Nullable Fingerprint after, int rows);

    /** What was really removed. */
    record Pruned(int entries, long bytes) {}

    /**
     * Removes those of these entries (at most 1,000) that still have one reference, are held by no
     * open intent and were not touched after {@code untouchedSince} (seconds since 1970).
     */
    Pruned prune(long untouchedSince, List<Fingerprint> fingerprints);
}
