package io.dedupstore.server.config;

/** Over which connections clients may send keys of their own. */
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
