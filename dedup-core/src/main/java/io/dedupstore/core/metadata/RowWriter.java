package io.dedupstore.core.metadata;

import com.google.protobuf.MessageLite;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows of one shard, and knows by how much those that grow with the data have grown. */
final class RowWriter extends RowReader {
    private final KvTransaction transaction;
    private long grownBytes;

    RowWriter(KvTransaction transaction, ShardId shard) {
        super(transaction, shard);
        this.transaction = transaction;
    }

    KvTransaction transaction() {
        return transaction;
    }

    /** Bytes of objects, holders, manifests, parts and layouts written less those deleted. */
    long grownBytes() {
        return grownBytes;
    }

    void put(byte[] key, MessageLite row) {
        transaction.put(RowKeys.ROWS, key, Format.prefix(FORMAT, row));
    }

    void delete(byte[] key) {
        transaction.delete(RowKeys.ROWS, key);
    }

    private void replace(
            Table table, byte[] key, @Nullable MessageLite old, @Nullable MessageLite now) {
        grownBytes += bytes(key, now) - bytes(key, old);
        if (now != null) {
            transaction.put(table, key, Format.prefix(FORMAT, now));
        } else {
            transaction.delete(table, key);
        }
    }

    private static long bytes(byte[] key, @Nullable MessageLite row) {
        return row == null ? 0 : key.length + 1 + row.getSerializedSize();
    }

    void putObject(
            BucketId bucket,
            ObjectKey key,
            MetadataProto.@Nullable ObjectRow old,
            MetadataProto.@Nullable ObjectRow now) {
        replace(RowKeys.OBJECTS, keys.object(bucket, key), old, now);
    }

    /** A version that is not the current object. */
    void putVersion(
            BucketId bucket,
            ObjectKey key,
            long order,
            MetadataProto.@Nullable ObjectRow old,
            MetadataProto.@Nullable ObjectRow now) {
        replace(RowKeys.ROWS, keys.version(bucket, key.text(), order), old, now);
    }

    void putHolder(
            V v, MetadataProto.@Nullable HolderRow old, MetadataProto.@Nullable HolderRow now) {
        replace(RowKeys.ROWS, keys.of(RowKeys.Kind.HOLDER, v), old, now);
    }

    void putPart(
            V upload,
            int number,
            MetadataProto.@Nullable PartRow old,
            MetadataProto.@Nullable PartRow now) {
        replace(RowKeys.ROWS, keys.of(RowKeys.Kind.PART, upload, number), old, now);
    }

    void putLayoutPage(
            V layout,
            int page,
            MetadataProto.@Nullable LayoutPageRow old,
            MetadataProto.@Nullable LayoutPageRow now) {
        replace(RowKeys.ROWS, keys.of(RowKeys.Kind.LAYOUT_PAGE, layout, page), old, now);
    }

    void putManifest(V holder, int row, List<ManifestEntry> entries) {
        byte[] key = keys.manifest(holder, row);
        byte[] value = ManifestCodec.encode(entries);
        grownBytes += key.length + value.length;
        transaction.put(RowKeys.MANIFESTS, key, value);
    }

    /** Entries of the same kinds of bytes: what grows with the data stays as it is. */
    void replaceManifest(V holder, int row, List<ManifestEntry> entries) {
        transaction.put(
                RowKeys.MANIFESTS, keys.manifest(holder, row), ManifestCodec.encode(entries));
    }

    /** The row must be there. */
    void deleteManifest(V holder, int row) {
        byte[] key = keys.manifest(holder, row);
        byte[] value = transaction.get(RowKeys.MANIFESTS, key);
        if (value != null) {
            grownBytes -= key.length + value.length;
            transaction.delete(RowKeys.MANIFESTS, key);
        }
    }
}
