package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Destination;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.MessageCodec;
import io.dedupstore.core.state.Outbox;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * All references of one metadata shard at one moment, for whoever compares them with what others
 * hold.
 */
public final class MetadataCut {
    private final KvReader rows;
    private final ShardId shard;
    private final RowReader reader;
    private final Outbox outbox;

    /**
     * @param rows a consistent view
     */
    public MetadataCut(KvReader rows, ShardId shard) {
        this.rows = rows;
        this.shard = shard;
        this.reader = new RowReader(rows, shard);
        this.outbox = new Outbox(shard);
    }

    public ShardId shard() {
        return shard;
    }

    /** References to chunks, about: those of versions, each counted. */
    public long chunks() {
        return ShardTotals.of(reader.shard().getTotals()).chunks();
    }

    public Map<Destination, Outbox.Position> streams() {
        return outbox.positions(rows);
    }

    /** Over the references confirmed to an index shard and not released. */
    public ReferenceSum sum(ShardId index) {
        byte[] row = rows.get(RowKeys.ROWS, reader.keys.sum(index));
        return row == null ? ReferenceSum.ZERO : ReferenceSums.read(row);
    }

    /** Items to a container behind a number. */
    public void forEachItem(ContainerId container, long after, Consumer<StorageMessage> visitor) {
        outbox.forEachItem(
                rows,
                new Destination.Container(container),
                after,
                item -> visitor.accept(MessageCodec.decodeStorage(item)));
    }

    /** References that are given up by items behind a number of the stream to an index shard. */
    public void forEachRelease(
            ShardId index, long after, BiConsumer<V, List<ChunkReference>> visitor) {
        outbox.forEachItem(
                rows,
                new Destination.Shard(index),
                after,
                item -> {
                    if (MessageCodec.decodeIndex(item)
                            instanceof IndexMessage.Release(V v, List<ChunkReference> references)) {
                        visitor.accept(v, references);
                    }
                });
    }

    /** Verdicts of committed attempts behind a number of the stream to an index shard. */
    public void forEachConfirm(ShardId index, long after, BiConsumer<V, Retained> visitor) {
        outbox.forEachItem(
                rows,
                new Destination.Shard(index),
                after,
                item -> {
                    if (MessageCodec.decodeIndex(item)
                            instanceof IndexMessage.Confirm(V v, Retained retained)) {
                        visitor.accept(v, retained);
                    }
                });
    }

    /**
     * What a holder refers to, each reference once. Of one that is being given up, what it has not
     * yet given up.
     *
     * @param inUse whether it has uses
     * @param installing whether its unindexed chunks may not have been adopted yet
     * @param complete whether its whole manifest is there
     * @param indexed by fingerprint
     * @param lengths plain bytes of those
     */
    public record Holder(
            V v,
            boolean inUse,
            boolean installing,
            boolean complete,
            int chunks,
            Map<Fingerprint, ChunkAddress> indexed,
            Map<Fingerprint, Integer> lengths,
            Set<ChunkAddress> unindexed) {}

    /**
     * All holders that were committed, in order.
     *
     * @param visitor tells whether to go on
     */
    public void forEachHolder(Predicate<Holder> visitor) {
        byte[] holders = reader.keys.all(RowKeys.Kind.HOLDER);
        byte[] manifests = Arrays.copyOf(holders, holders.length - 1);
        try (KvCursor holder = rows.scan(RowKeys.ROWS, holders, Bytes.successorOfPrefix(holders));
                KvCursor cursor =
                        rows.scan(
                                RowKeys.MANIFESTS, manifests, Bytes.successorOfPrefix(manifests))) {
            ManifestWalk walk = new ManifestWalk(cursor);
            while (holder.next()) {
                V v = RowKeys.vOf(holder.key());
                MetadataProto.HolderRow row =
                        RowReader.parse(
                                RowKeys.ROWS, MetadataProto.HolderRow.parser(), holder.value());
                if (!visitor.test(walk.holder(v, row))) {
                    return;
                }
            }
        }
    }

    /** Goes over manifest rows beside the holders; both are in order of V. */
    private final class ManifestWalk {
        private final KvCursor cursor;
        private boolean more;

        ManifestWalk(KvCursor cursor) {
            this.cursor = cursor;
            this.more = cursor.next();
        }

        Holder holder(V v, MetadataProto.HolderRow row) {
            byte[] prefix = reader.keys.manifest(v);
            // Rows sent ahead of a COMMIT have no holder.
            while (more && compare(prefix) < 0) {
                more = cursor.next();
            }
            boolean inUse = row.getUses() > 0;
            Set<Long> released = inUse ? Set.of() : released(v);
            Map<Fingerprint, ChunkAddress> indexed = new LinkedHashMap<>();
            Map<Fingerprint, Integer> lengths = new HashMap<>();
            Set<ChunkAddress> unindexed = new HashSet<>();
            int found = 0;
            int chunks = 0;
            while (more && compare(prefix) == 0) {
                for (ManifestEntry entry : ManifestCodec.decode(cursor.value())) {
                    chunks++;
                    take(entry, released, indexed, lengths, unindexed);
                }
                found++;
                more = cursor.next();
            }
            boolean complete = !inUse || found == row.getRowBytesCount();
            return new Holder(
                    v, inUse, installing(v), complete, chunks, indexed, lengths, unindexed);
        }

        private int compare(byte[] prefix) {
            byte[] key = cursor.key();
            return Arrays.compareUnsigned(
                    key, 0, Math.min(key.length, prefix.length), prefix, 0, prefix.length);
        }
    }

    private static void take(
            ManifestEntry entry,
            Set<Long> released,
            Map<Fingerprint, ChunkAddress> indexed,
            Map<Fingerprint, Integer> lengths,
            Set<ChunkAddress> unindexed) {
        switch (entry.kind()) {
            case ZERO -> {}
            case INDEXED -> {
                ChunkReference reference = entry.reference();
                if (!released.contains(reference.fingerprint().w0())) {
                    indexed.putIfAbsent(reference.fingerprint(), reference.address());
                    lengths.put(reference.fingerprint(), entry.length());
                }
            }
            case UNINDEXED -> unindexed.add(entry.reference().address());
        }
    }

    /** What rows that were walked already have released: nothing of it is released again. */
    private Set<Long> released(V v) {
        Set<Long> released = new HashSet<>();
        byte[] prefix = reader.keys.of(RowKeys.Kind.RELEASED, v);
        try (KvCursor cursor = rows.scan(RowKeys.ROWS, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                ByteBuffer words = ByteBuffer.wrap(cursor.value());
                if (words.get() != Garbage.RELEASED_FORMAT) {
                    throw new IllegalStateException("released row of an unknown format");
                }
                while (words.hasRemaining()) {
                    released.add(words.getLong());
                }
            }
        }
        return released;
    }

    private boolean installing(V v) {
        return rows.get(RowKeys.ROWS, reader.keys.of(RowKeys.Kind.INSTALL, v)) != null;
    }
}
