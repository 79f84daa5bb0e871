package io.dedupstore.server.s3;

/** Over which connections clients may send keys of their own (SSE-C). */
public enum CustomerKeyRule {
    /** None. */
    OFF,
    /** TLS. */
    TLS,
    /** TLS, and clear text that does not leave this machine. */
    LOCAL,
    /** All. */
    ANY
}
