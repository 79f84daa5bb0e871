package io.dedupstore.core.object;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ClaimAnswer;
import io.dedupstore.core.model.ClaimItem;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkIndex;
import io.dedupstore.core.spi.ClaimException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An index of one shard that answers as told. */
final class FakeIndex implements ChunkIndex {
    final Map<Fingerprint, ChunkAddress> entries = new HashMap<>();
    final Set<Fingerprint> hints = new HashSet<>();
    final List<ClaimItem> claimed = new ArrayList<>();
    boolean acceptsNew = true;
    int unansweredClaims;
    boolean refuses;

    @Override
    public ShardId shardOf(Fingerprint fingerprint) {
        return ShardId.index(0);
    }

    @Override
    public List<Optional<ChunkAddress>> lookup(List<Fingerprint> fingerprints) {
        return fingerprints.stream()
                .map(
                        f ->
                                hints.contains(f)
                                        ? Optional.of(
                                                new ChunkAddress(
                                                        new io.dedupstore.core.model.ContainerId(
                                                                999),
                                                        0))
                                        : Optional.ofNullable(entries.get(f)))
                .toList();
    }

    @Override
    public boolean takesClaims(ShardId shard) {
        return true;
    }

    @Override
    public List<ClaimAnswer> claim(ShardId shard, V v, ShardId coordinator, List<ClaimItem> items) {
        if (refuses) {
            throw new ClaimException(ClaimException.Code.REFUSED, "closed");
        }
        if (unansweredClaims > 0) {
            unansweredClaims--;
            throw new ClaimException(ClaimException.Code.UNKNOWN, "no answer");
        }
        claimed.addAll(items);
        return items.stream().map(this::answer).toList();
    }

    private ClaimAnswer answer(ClaimItem item) {
        ChunkAddress known = entries.get(item.fingerprint());
        if (known != null) {
            return new ClaimAnswer.Use(known);
        }
        if (item.offered() == null) {
            return new ClaimAnswer.Miss();
        }
        if (!acceptsNew) {
            return new ClaimAnswer.Unindexed();
        }
        entries.put(item.fingerprint(), item.offered());
        return new ClaimAnswer.Own(item.offered());
    }
}
