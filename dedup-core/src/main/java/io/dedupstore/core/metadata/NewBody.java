package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.List;
import java.util.Map;

/**
 * Bytes that an attempt has written and wants to publish.
 *
 * @param v the attempt; also the holder, when there is one
 */
public sealed interface NewBody {
    V v();

    /** Plain bytes. */
    long size();

    /**
     * Small enough to live in the metadata.
     *
     * @param seal as in {@link Body.Inline}
     */
    record Inline(V v, byte[] bytes, byte[] seal) implements NewBody {
        static final int MAX_SEAL_BYTES = 128;

        private static final byte[] UNSEALED = {};

        public Inline(V v, byte[] bytes) {
            this(v, bytes, UNSEALED);
        }

        @Override
        public long size() {
            return bytes.length;
        }
    }

    /**
     * A new holder named {@code v}. Rows 0 to {@code sentRows}-1 of its manifest, {@link
     * MetadataService#MANIFEST_ROW_ENTRIES} entries each, were sent ahead; {@code tail} is the
     * rest, fewer than one row.
     *
     * @param earlier holders of the same write that were committed before as invisible ones (a
     *     write longer than a holder may be), in order
     * @param size plain bytes, those of earlier holders included
     * @param claimed every index shard to which a CLAIM of {@code v} was sent, answered or not, and
     *     which of its recorded references the manifest holds
     * @param newChunkBytes plain bytes of this holder's chunks that were new to the store
     */
    record Holder(
            V v,
            List<V> earlier,
            long size,
            int sentRows,
            List<ManifestEntry> tail,
            Map<ShardId, Retained> claimed,
            long newChunkBytes)
            implements NewBody {
        public Holder {
            earlier = List.copyOf(earlier);
            tail = List.copyOf(tail);
            claimed = Map.copyOf(claimed);
        }
    }
}
