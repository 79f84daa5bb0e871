package io.dedupstore.server.policy;

/** What a policy says of a request. */
public enum Verdict {
    /** Whatever else allows it. */
    DENY,
    /** To the caller itself, or to everybody. */
    ALLOW,
    /** To the caller's account, which has still to let the caller. */
    ALLOW_ACCOUNT,
    NOTHING
}
