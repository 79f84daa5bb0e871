package io.dedupstore.core.metadata;

import com.google.protobuf.Parser;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of one shard, typed. Absent rows are null, or the default where that means the same. */
class RowReader {
    static final byte FORMAT = 1;

    final RowKeys keys;
    private final KvReader rows;

    RowReader(KvReader rows, ShardId shard) {
        this.rows = rows;
        this.keys = new RowKeys(shard);
    }

    KvReader rows() {
        return rows;
    }

    <T> @Nullable T get(Table table, byte[] key, Parser<T> parser) {
        byte[] value = rows.get(table, key);
        return value == null ? null : parse(table, parser, value);
    }

    static <T> T parse(Table table, Parser<T> parser, byte[] value) {
        return Format.parse("a row of table " + table.name(), FORMAT, parser, value);
    }

    private <T> @Nullable T row(byte[] key, Parser<T> parser) {
        return get(RowKeys.ROWS, key, parser);
    }

    MetadataProto.ShardRow shard() {
        MetadataProto.ShardRow row = row(keys.shard(), MetadataProto.ShardRow.parser());
        return row != null ? row : MetadataProto.ShardRow.getDefaultInstance();
    }

    MetadataProto.BucketRow bucket(BucketId bucket) {
        MetadataProto.BucketRow row = row(keys.bucket(bucket), MetadataProto.BucketRow.parser());
        return row != null ? row : MetadataProto.BucketRow.getDefaultInstance();
    }

    MetadataProto.@Nullable ObjectRow object(BucketId bucket, ObjectKey key) {
        return get(RowKeys.OBJECTS, keys.object(bucket, key), MetadataProto.ObjectRow.parser());
    }

    /** A version that is not the current object. */
    MetadataProto.@Nullable ObjectRow version(BucketId bucket, ObjectKey key, long order) {
        return row(keys.version(bucket, key.text(), order), MetadataProto.ObjectRow.parser());
    }

    MetadataProto.@Nullable NullPlaceRow nullPlace(BucketId bucket, ObjectKey key) {
        return row(keys.nullPlace(bucket, key.text()), MetadataProto.NullPlaceRow.parser());
    }

    MetadataProto.@Nullable HolderRow holder(V v) {
        return row(keys.of(RowKeys.Kind.HOLDER, v), MetadataProto.HolderRow.parser());
    }

    /** The holders of an unfinished write, of which {@code last} is the last; empty for none. */
    List<V> invisible(V last) {
        byte[] row = rows.get(RowKeys.ROWS, keys.of(RowKeys.Kind.INVISIBLE, last));
        return row == null ? List.of() : invisible(last, row);
    }

    static List<V> invisible(V last, byte[] row) {
        MetadataProto.InvisibleRow parsed =
                parse(RowKeys.ROWS, MetadataProto.InvisibleRow.parser(), row);
        return parsed.getHoldersCount() == 0
                ? List.of(last)
                : parsed.getHoldersList().stream().map(Wire::v).toList();
    }

    MetadataProto.@Nullable EarlyRow early(V v) {
        return row(keys.of(RowKeys.Kind.EARLY, v), MetadataProto.EarlyRow.parser());
    }

    MetadataProto.@Nullable FateRow fate(V v) {
        return row(keys.of(RowKeys.Kind.FATE, v), MetadataProto.FateRow.parser());
    }

    MetadataProto.@Nullable UploadRow upload(BucketId bucket, ObjectKey key, V upload) {
        return row(keys.upload(bucket, key, upload), MetadataProto.UploadRow.parser());
    }

    MetadataProto.@Nullable PartRow part(V upload, int number) {
        return row(keys.of(RowKeys.Kind.PART, upload, number), MetadataProto.PartRow.parser());
    }

    MetadataProto.PartPageRow partPage(V upload, int page) {
        MetadataProto.PartPageRow row =
                row(
                        keys.of(RowKeys.Kind.PART_PAGE, upload, page),
                        MetadataProto.PartPageRow.parser());
        return row != null ? row : MetadataProto.PartPageRow.getDefaultInstance();
    }

    MetadataProto.@Nullable LayoutRow layout(V v) {
        return row(keys.of(RowKeys.Kind.LAYOUT, v), MetadataProto.LayoutRow.parser());
    }

    MetadataProto.@Nullable CompletedRow completed(V upload) {
        return row(keys.of(RowKeys.Kind.COMPLETED, upload), MetadataProto.CompletedRow.parser());
    }

    /** How many references a row of zero chunks counts. */
    long zeroReferences(byte[] key) {
        MetadataProto.ZeroRow row = row(key, MetadataProto.ZeroRow.parser());
        return row == null ? 0 : row.getReferences();
    }

    @Nullable List<ManifestEntry> manifest(V holder, int row) {
        byte[] value = rows.get(RowKeys.MANIFESTS, keys.manifest(holder, row));
        return value == null ? null : ManifestCodec.decode(value);
    }
}
