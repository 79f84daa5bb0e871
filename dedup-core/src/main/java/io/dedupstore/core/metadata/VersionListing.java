package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.metadata.MetadataProto.ObjectRow;
import io.dedupstore.core.metadata.MetadataService.ListedVersion;
import io.dedupstore.core.metadata.MetadataService.VersionMarker;
import io.dedupstore.core.metadata.MetadataService.VersionPage;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A page of the versions and delete markers of a bucket. */
final class VersionListing implements Listing.RowNames, Listing.Taker {
    private final KvReader rows;
    private final RowReader reader;
    private final VersionRows versions;
    private final BucketId bucket;
    private final List<ListedVersion> lines = new ArrayList<>();

    /** The key of the line before. */
    private @Nullable ObjectKey key;

    /** The key that the page before may have ended in the middle of. */
    private Optional<String> continued = Optional.empty();

    private @Nullable VersionMarker last;

    VersionListing(KvReader rows, RowReader reader, BucketId bucket) {
        this.rows = rows;
        this.reader = reader;
        this.versions = new VersionRows(reader);
        this.bucket = bucket;
    }

    VersionPage page(
            String prefix, Optional<String> delimiter, Optional<VersionMarker> after, int limit) {
        Listing listing = new Listing(prefix, delimiter, limit, this, this);
        byte @Nullable [] start = null;
        if (after.isPresent()) {
            continued = Optional.of(after.get().key());
            start = listing.behindCommonPrefixOf(after.get().key());
            if (start == null) {
                start = behind(after.get());
            }
        }
        boolean truncated =
                listing.walk(
                        (from, end) -> new VersionCursor(rows, reader.keys, bucket, from, end),
                        start);
        return new VersionPage(
                List.copyOf(lines),
                truncated,
                truncated ? Optional.ofNullable(last) : Optional.empty());
    }

    private byte @Nullable [] behind(VersionMarker marker) {
        byte[] all = reader.keys.versionsOf(bucket, marker.key());
        if (marker.version().isEmpty()) {
            return Bytes.successorOfPrefix(all);
        }
        Optional<ObjectKey> name = keyOf(marker.key());
        return name.isEmpty() ? all : behind(name.get(), marker.version().get(), all);
    }

    private byte[] behind(ObjectKey name, VersionId version, byte[] all) {
        return switch (version) {
            case VersionId.Named(long order, var v) -> behind(name, order, all);
            case VersionId.Null() -> {
                VersionRows.Found found = versions.find(bucket, name, Optional.of(version));
                // Where it is gone there is nothing to tell its place by.
                yield found == null ? all : behind(name, VersionRows.order(found.row()), all);
            }
        };
    }

    /** The current object comes first of its key, also when it is so since newer ones have gone. */
    private byte[] behind(ObjectKey name, long order, byte[] all) {
        ObjectRow current = reader.object(bucket, name);
        return current != null && VersionRows.order(current) < order
                ? all
                : Bytes.successor(reader.keys.version(bucket, name.text(), order));
    }

    /** Markers need not be keys that can be. */
    private static Optional<ObjectKey> keyOf(String name) {
        try {
            return Optional.of(ObjectKey.of(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public byte[] rowsFrom(String start) {
        return reader.keys.versionsFrom(bucket, start);
    }

    @Override
    public byte[] nameOf(byte[] rowKey) {
        return RowKeys.versionKeyOf(rowKey);
    }

    @Override
    public void row(byte[] name, byte[] rowKey, byte[] value) {
        ObjectKey now = ObjectKey.ofUtf8(name);
        MetadataProto.Version version =
                RowReader.parse(RowKeys.ROWS, ObjectRow.parser(), value).getVersion();
        boolean latest =
                RowKeys.isCurrentAmongVersions(rowKey)
                        || (!now.equals(key) && isNewest(now, RowKeys.orderOf(rowKey)));
        lines.add(new ListedVersion.Version(Wire.version(now, version), latest));
        key = now;
        last = new VersionMarker(now.text(), Optional.of(Wire.id(version)));
    }

    /** The first of a key in this page need not be the first of the key. */
    private boolean isNewest(ObjectKey name, long order) {
        if (continued.filter(name.text()::equals).isEmpty()) {
            return true;
        }
        VersionRows.Found newest = versions.find(bucket, name, Optional.empty());
        return newest != null && !newest.current() && VersionRows.order(newest.row()) == order;
    }

    @Override
    public void commonPrefix(String prefix) {
        lines.add(new ListedVersion.CommonPrefix(prefix));
        last = new VersionMarker(prefix, Optional.empty());
    }
}
