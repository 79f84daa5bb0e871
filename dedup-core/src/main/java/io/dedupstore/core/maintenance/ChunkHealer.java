package io.dedupstore.core.maintenance;

import io.dedupstore.core.index.IndexClient;
import io.dedupstore.core.index.IndexShardClient;
import io.dedupstore.core.index.Known;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.spi.ChunkStore;
import io.dedupstore.core.spi.ChunkStore.Wanted;
import io.dedupstore.core.spi.ChunkStoreException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps damage from spreading, and repairs it from what clients bring. A chunk whose bytes cannot
 * be read is marked in the index, so that nobody is given it any more: who writes the same content
 * stores it anew. With that the damaged slot is healed, in place, for all who refer to it; only
 * then is the mark taken away. Any thread.
 */
public final class ChunkHealer implements Rededuper.Healer {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkHealer.class);

    private final IndexClient index;
    private final ChunkStore store;
    private final AtomicLong marked = new AtomicLong();
    private final AtomicLong healed = new AtomicLong();

    public ChunkHealer(IndexClient index, ChunkStore store) {
        this.index = index;
        this.store = store;
    }

    /** Chunks marked since the start. */
    public long marked() {
        return marked.get();
    }

    /** Slots that were made whole again since the start. */
    public long healed() {
        return healed.get();
    }

    /** The bytes of a slot could not be read, not even what chunk it is. */
    public void damaged(ChunkAddress slot) {
        Optional<Fingerprint> found =
                index.shards().stream()
                        .flatMap(shard -> shard.fingerprintAt(slot).stream())
                        .findFirst();
        if (found.isPresent()) {
            damaged(new ChunkReference(found.get(), slot));
        } else {
            LOG.error("The slot {} cannot be read, and the index does not know it.", slot);
        }
    }

    /** The bytes of a chunk could not be read. */
    public void damaged(ChunkReference chunk) {
        IndexShardClient shard = shardOf(chunk);
        switch (shard.find(List.of(chunk.fingerprint())).getFirst()) {
            case Known.Present(ChunkAddress address, int length, boolean suspect) -> {
                if (!address.equals(chunk.address())) {
                    healFrom(chunk, new Wanted(address, chunk.fingerprint(), length));
                } else if (!suspect) {
                    shard.markSuspect(List.of(chunk), true);
                    marked.incrementAndGet();
                    LOG.error(
                            "The chunk at {} cannot be read: it is not used for new data, and is"
                                    + " healed when the same content is written again.",
                            chunk.address());
                }
            }
            // Its owner has it alone.
            case Known.Absent() -> LOG.error("The chunk at {} cannot be read.", chunk.address());
            case Known.Unreadable() ->
                    LOG.error("Neither {} nor its entry can be read.", chunk.address());
        }
    }

    /** The index has the same chunk somewhere else. */
    private void healFrom(ChunkReference damaged, Wanted whole) {
        try {
            if (store.heal(damaged.address(), whole)) {
                healed.incrementAndGet();
                LOG.warn("The chunk at {} is whole again.", damaged.address());
            }
        } catch (ChunkStoreException e) {
            LOG.error("The chunk at {} cannot be healed: {}", damaged.address(), e.getMessage());
        }
    }

    @Override
    public boolean heal(ChunkReference suspect, Wanted whole) {
        try {
            if (!store.heal(suspect.address(), whole)) {
                return false;
            }
        } catch (ChunkStoreException e) {
            LOG.warn("The chunk at {} stays damaged: {}", suspect.address(), e.getMessage());
            return false;
        }
        shardOf(suspect).markSuspect(List.of(suspect), false);
        healed.incrementAndGet();
        LOG.warn("The chunk at {} is whole again.", suspect.address());
        return true;
    }

    private IndexShardClient shardOf(ChunkReference chunk) {
        return index.shards().get(index.shardOf(chunk.fingerprint()).number());
    }
}
