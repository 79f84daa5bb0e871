package io.dedupstore.server.config;

/** What becomes of names of keys that there are none of. */
public enum UnknownKeyRule {
    /** A key of that name is made. */
    CREATE,
    /** The request is refused. */
    REFUSE
}
