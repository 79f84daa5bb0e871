package io.dedupstore.core.object;

import io.dedupstore.core.cipher.AttemptCipher;
import io.dedupstore.core.metadata.MetadataService;
import io.dedupstore.core.metadata.NewBody;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The manifest of one attempt while it grows: rows that are full go ahead to the metadata shard. It
 * also knows what was claimed where, and which claimed references the manifest does not hold. One
 * request's own.
 */
final class HolderBuilder {
    private final MetadataService metadata;
    private final WriteTarget target;
    private final V v;
    private final @Nullable AttemptCipher cipher;
    private final Map<Fingerprint, ManifestEntry> placed = new HashMap<>();
    private final Map<ShardId, Set<Fingerprint>> claimed = new HashMap<>();
    private final Map<ShardId, ReferenceSum> sums = new HashMap<>();
    private List<ManifestEntry> row = new ArrayList<>();
    private int sentRows;
    private int chunks;
    private long newChunkBytes;

    HolderBuilder(MetadataService metadata, WriteTarget target, V v) {
        this.metadata = metadata;
        this.target = target;
        this.v = v;
        this.cipher = target.sealing().begin(target.domain(), v);
    }

    V v() {
        return v;
    }

    /** What encrypts this attempt's chunks; null when they are stored in the clear. */
    @Nullable AttemptCipher cipher() {
        return cipher;
    }

    int chunks() {
        return chunks;
    }

    /** The entry of a fingerprint this holder has a reference to already. */
    @Nullable ManifestEntry placed(Fingerprint fingerprint) {
        return placed.get(fingerprint);
    }

    /** Notes that a CLAIM is about to be sent: from now on the shard must hear of our fate. */
    void claiming(ShardId shard) {
        claimed.computeIfAbsent(shard, s -> new HashSet<>());
    }

    /** A reference that the shard may have recorded and the manifest does not hold. */
    void drop(ShardId shard, Fingerprint fingerprint) {
        claimed.computeIfAbsent(shard, s -> new HashSet<>()).add(fingerprint);
    }

    /** References that are named as not retained; each makes the commit longer. */
    int dropped() {
        return claimed.values().stream().mapToInt(Set::size).sum();
    }

    /** The chunk is the holder's own. */
    void place(Fingerprint fingerprint, ManifestEntry unindexed) {
        placed.put(fingerprint, unindexed);
    }

    /** The chunk is referenced through an entry of the shard. */
    void place(ShardId shard, Fingerprint fingerprint, ManifestEntry indexed) {
        placed.put(fingerprint, indexed);
        sums.merge(shard, ReferenceSum.of(indexed.reference()), ReferenceSum::plus);
    }

    private ReferenceSum sum(ShardId shard) {
        return sums.getOrDefault(shard, ReferenceSum.ZERO);
    }

    void countNew(int bytes) {
        newChunkBytes += bytes;
    }

    void append(ManifestEntry entry) {
        row.add(entry);
        chunks++;
        if (row.size() == MetadataService.MANIFEST_ROW_ENTRIES) {
            metadata.sendRow(target.bucket(), target.key(), v, sentRows, row);
            sentRows++;
            row = new ArrayList<>();
        }
    }

    /**
     * @param size plain bytes of this holder and the earlier ones
     */
    NewBody.Holder build(List<V> earlier, long size) {
        return new NewBody.Holder(v, earlier, size, sentRows, row, claimed(), newChunkBytes);
    }

    Map<ShardId, Retained> claimed() {
        Map<ShardId, Retained> retained = new HashMap<>();
        claimed.forEach(
                (shard, dropped) ->
                        retained.put(
                                shard,
                                dropped.isEmpty()
                                        ? new Retained.All(sum(shard))
                                        : new Retained.AllBut(dropped, sum(shard))));
        return retained;
    }
}
