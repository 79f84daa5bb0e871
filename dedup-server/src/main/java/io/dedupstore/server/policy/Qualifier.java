package io.dedupstore.server.policy;

/** How a condition treats a key with several values. */
enum Qualifier {
    NONE,
    FOR_ALL_VALUES,
    FOR_ANY_VALUE
}
