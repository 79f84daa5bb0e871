package io.dedupstore.core.maintenance;

/**
 * What a choice came to when the ages were counted: all entries touched before a second, and some
 * of those touched in it.
 *
 * @param scanned entries with one reference
 * @param second seconds since 1970
 * @param ofThatSecond how many of those last touched in {@code second} go, by fingerprint
 * @param entries how many go in all
 */
public record PrunePlan(long scanned, long second, long ofThatSecond, long entries) {}
