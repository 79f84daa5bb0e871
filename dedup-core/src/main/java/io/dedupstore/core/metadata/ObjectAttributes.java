package io.dedupstore.core.metadata;

import io.dedupstore.core.model.AccessList;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a client says about an object besides its bytes.
 *
 * @param headers standard headers kept and returned (content-type, cache-control,
 *     content-disposition, content-encoding, content-language, expires, x-amz-storage-class,
 *     x-amz-website-redirect-location), lower-case names
 * @param userMetadata x-amz-meta-* without the prefix, lower-case names
 * @param tags by key; they may change while the version stays
 * @param lock may change while the version stays
 * @param encryption of its bytes, unless they are in the clear
 * @param access who owns the object and whom else it is open to
 */
public record ObjectAttributes(
        SortedMap<String, String> headers,
        SortedMap<String, String> userMetadata,
        SortedMap<String, String> tags,
        ObjectLock lock,
        Optional<ObjectEncryption> encryption,
        Access access) {
    public static final ObjectAttributes NONE =
            new ObjectAttributes(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    /**
     * @param owner account id; empty for the owner of the bucket
     * @param list may change while the version stays; empty for the owner alone
     */
    public record Access(Optional<String> owner, Optional<AccessList> list) {
        public static final Access OF_BUCKET = new Access(Optional.empty(), Optional.empty());
    }

    public ObjectAttributes {
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
        userMetadata = Collections.unmodifiableSortedMap(new TreeMap<>(userMetadata));
        tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
    }

    /** Without a lock, in the clear, and the bucket owner's alone. */
    public ObjectAttributes(
            SortedMap<String, String> headers,
            SortedMap<String, String> userMetadata,
            SortedMap<String, String> tags) {
        this(headers, userMetadata, tags, ObjectLock.NONE, Optional.empty(), Access.OF_BUCKET);
    }

    public ObjectAttributes withTags(SortedMap<String, String> other) {
        return new ObjectAttributes(headers, userMetadata, other, lock, encryption, access);
    }

    public ObjectAttributes withEncryption(Optional<ObjectEncryption> other) {
        return new ObjectAttributes(headers, userMetadata, tags, lock, other, access);
    }

    public ObjectAttributes withLock(ObjectLock other) {
        return new ObjectAttributes(headers, userMetadata, tags, other, encryption, access);
    }

    public ObjectAttributes withAccess(Access other) {
        return new ObjectAttributes(headers, userMetadata, tags, lock, encryption, other);
    }
}
