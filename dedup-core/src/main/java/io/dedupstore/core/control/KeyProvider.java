package io.dedupstore.core.control;

import java.util.Optional;

/**
 * Keeps named keys and wraps other keys with them; the named ones never leave it. The local one
 * keeps them in the control group, another may ask a key management service. Blocking; any thread.
 */
public interface KeyProvider {
    /**
     * The key that a client means.
     *
     * @param account the client's
     * @param name as the client gives it: an id, an alias or an ARN
     */
    Optional<NamedKey> find(String account, String name);

    /** The key for clients of an account that name none; made where there is none. */
    NamedKey defaultKey(String account);

    /** The key for what is encrypted without a word of named keys; made where there is none. */
    NamedKey managedKey();

    /**
     * A wrapped key.
     *
     * @param material what of the named key it is wrapped with; 0 when the provider does not tell
     */
    record Wrapped(byte[] bytes, int material) {}

    /**
     * @param purpose authenticated with the secret
     * @throws ControlException NO_SUCH_KEY, KEY_DISABLED
     */
    Wrapped wrap(String keyId, String purpose, byte[] secret);

    /**
     * @throws ControlException NO_SUCH_KEY, KEY_DISABLED
     * @throws IllegalStateException damaged, or for another purpose
     */
    byte[] unwrap(String keyId, String purpose, byte[] wrapped);
}
