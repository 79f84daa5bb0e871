package io.dedupstore.it;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one writer knows about its keys. An operation without an answer may or may not have
 * happened, so until the next acknowledged one a key may show either what it held before or what
 * was in flight; once seen after a crash, what it shows is what it holds.
 *
 * <p>Used by one thread at a time.
 */
final class Ledger {
    /** Hash of a content; empty for no object. */
    private final Map<String, Optional<String>> acknowledged = new HashMap<>();

    private final Map<String, Set<Optional<String>>> inFlight = new HashMap<>();

    void begin(String key, Optional<String> hash) {
        inFlight.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(hash);
    }

    void acknowledge(String key, Optional<String> hash) {
        acknowledged.put(key, hash);
        inFlight.remove(key);
    }

    Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>(acknowledged.keySet());
        keys.addAll(inFlight.keySet());
        return keys;
    }

    /** What the key certainly shows; empty for no object, or when nobody knows. */
    Optional<String> held(String key) {
        return inFlight.containsKey(key)
                ? Optional.empty()
                : acknowledged.getOrDefault(key, Optional.empty());
    }

    /** Contents that the key may show. */
    Set<Optional<String>> allowed(String key) {
        Set<Optional<String>> allowed = new LinkedHashSet<>();
        allowed.add(acknowledged.getOrDefault(key, Optional.empty()));
        allowed.addAll(inFlight.getOrDefault(key, Set.of()));
        return allowed;
    }

    /** What a reader saw after the crash: from now on the key holds just that. */
    void settle(String key, Optional<String> seen) {
        acknowledge(key, seen);
    }
}
