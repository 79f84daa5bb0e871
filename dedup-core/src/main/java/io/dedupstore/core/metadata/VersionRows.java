package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.ObjectRow;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the versions of a key are. The current object is a row of the table of objects, as it is in
 * buckets without versioning, so that listings of objects read nothing else. All other versions,
 * and every delete marker, are rows aside, the newest first. Where there is no current object the
 * newest row aside is a delete marker, or there is none.
 *
 * <p>A null version aside has a row that says where it is; there is one null version at most.
 */
final class VersionRows {
    private static final long MICROS_PER_MILLI = 1000;

    private final RowReader rows;

    VersionRows(RowReader rows) {
        this.rows = rows;
    }

    /**
     * A version or delete marker that is there.
     *
     * @param current whether it is the row of the table of objects
     */
    record Found(ObjectRow row, boolean current) {
        boolean isDeleteMarker() {
            return row.getVersion().getDeleteMarker();
        }
    }

    /** Its place among the versions of its key: what was written without one came before all. */
    static long order(ObjectRow row) {
        MetadataProto.Version version = row.getVersion();
        return version.getOrder() > 0
                ? version.getOrder()
                : version.getModifiedMillis() * MICROS_PER_MILLI;
    }

    static boolean isNamed(ObjectRow row) {
        return row.getVersion().getNamed();
    }

    /**
     * @param id empty for the newest
     */
    @Nullable Found find(BucketId bucket, ObjectKey key, Optional<VersionId> id) {
        ObjectRow current = rows.object(bucket, key);
        if (id.isEmpty()) {
            return current != null ? new Found(current, true) : aside(newestAside(bucket, key));
        }
        return switch (id.get()) {
            case VersionId.Null() ->
                    current != null && !isNamed(current)
                            ? new Found(current, true)
                            : aside(nullAside(bucket, key));
            case VersionId.Named named -> {
                if (current != null && Wire.id(current.getVersion()).equals(named)) {
                    yield new Found(current, true);
                }
                ObjectRow row = rows.version(bucket, key, named.order());
                yield row != null && Wire.id(row.getVersion()).equals(named) ? aside(row) : null;
            }
        };
    }

    private static @Nullable Found aside(@Nullable ObjectRow row) {
        return row == null ? null : new Found(row, false);
    }

    @Nullable ObjectRow newestAside(BucketId bucket, ObjectKey key) {
        if (hasNothingAside(bucket)) {
            return null;
        }
        List<Scans.Row> first =
                Scans.first(rows.rows(), RowKeys.ROWS, rows.keys.versionsOf(bucket, key.text()), 1);
        return first.isEmpty()
                ? null
                : RowReader.parse(RowKeys.ROWS, ObjectRow.parser(), first.getFirst().value());
    }

    @Nullable ObjectRow nullAside(BucketId bucket, ObjectKey key) {
        if (hasNothingAside(bucket)) {
            return null;
        }
        MetadataProto.NullPlaceRow place = rows.nullPlace(bucket, key);
        if (place == null) {
            return null;
        }
        ObjectRow row = rows.version(bucket, key, place.getOrder());
        if (row == null || isNamed(row)) {
            throw new IllegalStateException("the null version of " + key + " is not at its place");
        }
        return row;
    }

    /** Buckets without versioning need not look. */
    private boolean hasNothingAside(BucketId bucket) {
        MetadataProto.BucketRow row = rows.bucket(bucket);
        return row.getNoncurrentVersions() == 0 && row.getDeleteMarkers() == 0;
    }
}
