package io.dedupstore.server.s3.lifecycle;

import io.dedupstore.core.metadata.ObjectVersion;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which objects a rule is about: those for which all of this holds.
 *
 * @param tags a version must have all of them
 * @param largerThan size in bytes, -1 for any
 * @param smallerThan size in bytes, {@link Long#MAX_VALUE} for any
 */
record LifecycleFilter(
        String prefix, SortedMap<String, String> tags, long largerThan, long smallerThan) {
    static final long ANY_SIZE = -1;

    LifecycleFilter {
        tags = new TreeMap<>(tags);
    }

    boolean hasTags() {
        return !tags.isEmpty();
    }

    boolean hasSizes() {
        return largerThan != ANY_SIZE || smallerThan != Long.MAX_VALUE;
    }

    boolean matches(ObjectVersion version) {
        return version.key().text().startsWith(prefix)
                && version.size() > largerThan
                && version.size() < smallerThan
                && version.attributes().tags().entrySet().containsAll(tags.entrySet());
    }

    /** Of things that have neither tags nor size. */
    boolean matchesKey(String key) {
        return !hasTags() && !hasSizes() && key.startsWith(prefix);
    }
}
