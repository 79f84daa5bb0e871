package io.dedupstore.core.spi;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.List;
import java.util.Optional;

/**
 * The fingerprint index as a gateway sees it. Blocking; any number of threads, virtual ones too.
 */
public interface ChunkIndex {
    /** The shard that a fingerprint belongs to; fixed for the life of the cluster. */
    ShardId shardOf(Fingerprint fingerprint);

    /**
     * Which chunks are probably known, in the order asked. Only a hint: may be stale either way.
     * Where a shard does not answer, its chunks are reported as unknown.
     */
    List<Optional<ChunkAddress>> lookup(List<Fingerprint> fingerprints);

    /**
     * Whether it is worthwhile to claim anything of a shard now: only a hint. It is not while the
     * shard gives no answers or is being rebuilt; chunks are then stored without the index.
     */
    boolean takesClaims(ShardId shard);

    /**
     * Claims chunks of one shard for {@code v}; one message. Repeating it is safe.
     *
     * @param coordinator the metadata shard that will decide the fate of {@code v}
     * @param items at most 512, fingerprints distinct, all of {@code shard}
     * @return one answer for each item, in order
     * @throws ClaimException refused for good, or the outcome is unknown
     */
    List<ClaimAnswer> claim(ShardId shard, V v, ShardId coordinator, List<ClaimItem> items);
}
