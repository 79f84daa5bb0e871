package io.dedupstore.server.policy;

import java.util.List;

/** What is known about a request, by condition key. */
@FunctionalInterface
public interface Facts {
    /** A request that nothing is known about. */
    Facts NONE = key -> List.of();

    /**
     * The values of a key; none where the request does not have it.
     *
     * @param key in lower case but for what follows a slash, e.g. {@code aws:sourceip}, {@code
     *     s3:existingobjecttag/Team}
     */
    List<String> of(String key);
}
