package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.ObjectRow;
import io.dedupstore.core.metadata.MetadataProto.Refusal;
import io.dedupstore.core.metadata.VersionRows.Found;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import org.jspecify.annotations.Nullable;

/**
 * Changes of what versions a key has. A version that is set aside keeps its body as it is: no use
 * count changes, nothing is sent to anybody. One that goes gives its uses up, as an overwritten
 * object does.
 *
 * <p>A command without word of versioning is taken for one under suspended versioning where the key
 * has other versions: a gateway that has not heard of them yet must not destroy any. Elsewhere it
 * does what commands of the first release did.
 */
final class Versions {
    private final ShardEntry entry;
    private final RowWriter rows;
    private final VersionRows versions;
    private final Bodies bodies;

    Versions(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
        this.versions = new VersionRows(rows);
        this.bodies = new Bodies(entry);
    }

    /**
     * What a new version or delete marker comes upon.
     *
     * @param versioning what holds for this key
     * @param current the current object
     * @param sets whether that is set aside; else it goes
     * @param nullAside the null version aside, where it goes
     */
    record Displaced(
            Versioning versioning,
            @Nullable ObjectRow current,
            boolean sets,
            @Nullable ObjectRow nullAside) {}

    /**
     * @throws Refused LOCKED: something must not go
     */
    Displaced displaced(
            BucketId bucket, ObjectKey key, @Nullable ObjectRow current, Versioning said) {
        Versioning versioning =
                said == Versioning.NEVER && hasOthers(bucket, key, current)
                        ? Versioning.SUSPENDED
                        : said;
        boolean keepsAll = versioning == Versioning.ENABLED;
        boolean sets = current != null && (keepsAll || VersionRows.isNamed(current));
        ObjectRow nullAside =
                !keepsAll && (current == null || sets) && hasAside(bucket)
                        ? versions.nullAside(bucket, key)
                        : null;
        if (current != null && !sets) {
            requireUnlocked(current, false);
        }
        if (nullAside != null) {
            requireUnlocked(nullAside, false);
        }
        return new Displaced(versioning, current, sets, nullAside);
    }

    private boolean hasOthers(BucketId bucket, ObjectKey key, @Nullable ObjectRow current) {
        return (current != null && VersionRows.isNamed(current))
                || (hasAside(bucket) && versions.newestAside(bucket, key) != null);
    }

    /** The row is at hand: plain writes look no further. */
    private boolean hasAside(BucketId bucket) {
        MetadataProto.BucketRow.Builder row = entry.bucket(bucket);
        return row.getNoncurrentVersions() > 0 || row.getDeleteMarkers() > 0;
    }

    void requireUnlocked(ObjectRow row, boolean bypassGovernance) {
        ObjectLock lock = Wire.lock(row.getVersion().getAttributes());
        if (lock.forbidsRemoval(entry.nowMillis(), bypassGovernance)) {
            throw new Refused(Refusal.LOCKED, "the version is locked: " + lock);
        }
    }

    /** The order and name of a version that this command makes. */
    MetadataProto.Version placed(MetadataProto.Version version, Versioning versioning) {
        return switch (versioning) {
            case NEVER -> version;
            case SUSPENDED -> version.toBuilder().setOrder(entry.nowMicros()).build();
            case ENABLED -> version.toBuilder().setOrder(entry.nowMicros()).setNamed(true).build();
        };
    }

    /** A new current object, whose body is installed. */
    void install(BucketId bucket, ObjectKey key, Displaced displaced, ObjectRow now) {
        ObjectRow old = displaced.current();
        rows.putObject(bucket, key, old, now);
        entry.countBody(bucket, BodySize.of(now.getBody()));
        if (old == null) {
            entry.countObjects(bucket, 1);
        } else if (displaced.sets()) {
            setAside(bucket, key, old);
        } else {
            discardBody(bucket, old);
        }
        removeNullAside(bucket, key, displaced);
    }

    /** Leaves a delete marker where an object was, or nothing. */
    MetadataProto.Version mark(BucketId bucket, ObjectKey key, V v, Displaced displaced) {
        ObjectRow old = displaced.current();
        if (old != null) {
            rows.putObject(bucket, key, old, null);
            entry.countObjects(bucket, -1);
            if (displaced.sets()) {
                setAside(bucket, key, old);
            } else {
                discardBody(bucket, old);
            }
        }
        removeNullAside(bucket, key, displaced);
        MetadataProto.Version marker =
                placed(
                        MetadataProto.Version.newBuilder()
                                .setV(Wire.bytes(v))
                                .setModifiedMillis(entry.nowMillis())
                                .setDeleteMarker(true)
                                .build(),
                        displaced.versioning());
        putAside(bucket, key, ObjectRow.newBuilder().setVersion(marker).build());
        return marker;
    }

    /** Removes one for good; what is the newest then is current. */
    void remove(BucketId bucket, ObjectKey key, Found found) {
        if (found.current()) {
            removeCurrent(bucket, key, found.row());
        } else {
            removeAside(bucket, key, found.row());
        }
        if (rows.object(bucket, key) == null) {
            ObjectRow newest = versions.newestAside(bucket, key);
            if (newest != null && !newest.getVersion().getDeleteMarker()) {
                takeAside(bucket, key, newest);
                entry.countNoncurrent(bucket, -1);
                entry.countObjects(bucket, 1);
                rows.putObject(bucket, key, null, newest);
            }
        }
    }

    /** The current object of a bucket without versioning, or a version of that name. */
    void removeCurrent(BucketId bucket, ObjectKey key, ObjectRow row) {
        rows.putObject(bucket, key, row, null);
        entry.countBody(bucket, BodySize.of(row.getBody()).negated());
        entry.countObjects(bucket, -1);
        bodies.discard(row.getBody());
    }

    /** Changes what is said about a version. */
    void replace(BucketId bucket, ObjectKey key, Found found, ObjectRow now) {
        if (found.current()) {
            rows.putObject(bucket, key, found.row(), now);
        } else {
            rows.putVersion(bucket, key, VersionRows.order(found.row()), found.row(), now);
        }
    }

    // ---- aside ----

    private void setAside(BucketId bucket, ObjectKey key, ObjectRow row) {
        entry.countNoncurrent(bucket, 1);
        putAsideRow(bucket, key, row);
    }

    private void putAside(BucketId bucket, ObjectKey key, ObjectRow marker) {
        entry.countDeleteMarkers(bucket, 1);
        putAsideRow(bucket, key, marker);
    }

    private void putAsideRow(BucketId bucket, ObjectKey key, ObjectRow row) {
        long order = VersionRows.order(row);
        rows.putVersion(bucket, key, order, null, row);
        if (!VersionRows.isNamed(row)) {
            rows.put(
                    rows.keys.nullPlace(bucket, key.text()),
                    MetadataProto.NullPlaceRow.newBuilder().setOrder(order).build());
        }
    }

    private void takeAside(BucketId bucket, ObjectKey key, ObjectRow row) {
        rows.putVersion(bucket, key, VersionRows.order(row), row, null);
        if (!VersionRows.isNamed(row)) {
            rows.delete(rows.keys.nullPlace(bucket, key.text()));
        }
    }

    private void removeNullAside(BucketId bucket, ObjectKey key, Displaced displaced) {
        ObjectRow row = displaced.nullAside();
        if (row != null) {
            removeAside(bucket, key, row);
        }
    }

    private void removeAside(BucketId bucket, ObjectKey key, ObjectRow row) {
        takeAside(bucket, key, row);
        if (row.getVersion().getDeleteMarker()) {
            entry.countDeleteMarkers(bucket, -1);
        } else {
            entry.countNoncurrent(bucket, -1);
            discardBody(bucket, row);
        }
    }

    private void discardBody(BucketId bucket, ObjectRow row) {
        entry.countBody(bucket, BodySize.of(row.getBody()).negated());
        bodies.discard(row.getBody());
    }
}
