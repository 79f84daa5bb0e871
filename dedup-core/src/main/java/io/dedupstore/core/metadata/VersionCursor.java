package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All versions of a bucket in order of key, of one key the newest first: the current objects and
 * what is aside, merged. Its keys are those of rows aside; a current object's is such that it comes
 * before all others of its key.
 */
final class VersionCursor implements KvCursor {
    private final RowKeys keys;
    private final BucketId bucket;
    private final KvCursor objects;
    private final KvCursor aside;
    private final byte @Nullable [] end;
    private byte @Nullable [] nextObject;
    private byte @Nullable [] nextAside;
    private boolean atObject;
    private boolean started;

    VersionCursor(
            KvReader rows, RowKeys keys, BucketId bucket, byte[] from, byte @Nullable [] end) {
        this.keys = keys;
        this.bucket = bucket;
        this.objects =
                rows.scan(
                        RowKeys.OBJECTS,
                        keys.objectsFrom(bucket, from),
                        Bytes.successorOfPrefix(keys.objects(bucket)));
        this.aside = rows.scan(RowKeys.ROWS, from, end);
        this.end = end;
        advanceObject();
        advanceAside();
    }

    private void advanceObject() {
        nextObject = objects.next() ? place(objects.key()) : null;
        if (nextObject != null && end != null && Arrays.compareUnsigned(nextObject, end) >= 0) {
            nextObject = null;
        }
    }

    private byte[] place(byte[] objectRow) {
        return keys.currentAmongVersions(bucket, RowKeys.escape(RowKeys.objectKeyOf(objectRow)));
    }

    private void advanceAside() {
        nextAside = aside.next() ? aside.key() : null;
    }

    @Override
    public boolean next() {
        if (started) {
            if (atObject) {
                advanceObject();
            } else {
                advanceAside();
            }
        }
        started = true;
        atObject =
                nextObject != null
                        && (nextAside == null || Arrays.compareUnsigned(nextObject, nextAside) < 0);
        return nextObject != null || nextAside != null;
    }

    @Override
    public byte[] key() {
        byte[] key = atObject ? nextObject : nextAside;
        if (key == null) {
            throw new IllegalStateException("no row");
        }
        return key;
    }

    @Override
    public byte[] value() {
        return atObject ? objects.value() : aside.value();
    }

    @Override
    public void seek(byte[] key) {
        objects.seek(keys.objectsFrom(bucket, key));
        aside.seek(key);
        advanceObject();
        advanceAside();
        started = false;
    }

    @Override
    public void close() {
        try (objects) {
            aside.close();
        }
    }
}
