package io.dedupstore.core.metadata;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a client says about an object besides its bytes.
 *
 * @param headers standard headers kept and returned (content-type, cache-control,
 *     content-disposition, content-encoding, content-language, expires, x-amz-storage-class,
 *     x-amz-website-redirect-location), lower-case names
 * @param userMetadata x-amz-meta-* without the prefix, lower-case names
 */
public record ObjectAttributes(
        SortedMap<String, String> headers, SortedMap<String, String> userMetadata) {
    public static final ObjectAttributes NONE =
            new ObjectAttributes(new TreeMap<>(), new TreeMap<>());

    public ObjectAttributes {
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
        userMetadata = Collections.unmodifiableSortedMap(new TreeMap<>(userMetadata));
    }
}
