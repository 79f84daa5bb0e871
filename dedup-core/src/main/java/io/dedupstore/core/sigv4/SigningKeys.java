package io.dedupstore.core.sigv4;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Derives signing keys and keeps the most recently used: a key is good for a day, so that a request
 * costs one HMAC instead of five. An entry is good only for the secret it was derived from. Safe
 * for many threads.
 */
final class SigningKeys {
    private static final int MAX_ENTRIES = 4096;

    private record Name(String accessKey, CredentialScope scope) {}

    private record Derived(byte[] secret, byte[] signingKey) {}

    private final Map<Name, Derived> entries =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Name, Derived> eldest) {
                    return size() > MAX_ENTRIES;
                }
            };

    byte[] get(String accessKey, byte[] secret, CredentialScope scope) {
        Name name = new Name(accessKey, scope);
        synchronized (entries) {
            Derived known = entries.get(name);
            if (known != null && MessageDigest.isEqual(known.secret(), secret)) {
                return known.signingKey();
            }
        }
        byte[] key = derive(secret, scope);
        synchronized (entries) {
            entries.put(name, new Derived(secret.clone(), key));
        }
        return key;
    }

    static byte[] derive(byte[] secret, CredentialScope scope) {
        byte[] prefix = "AWS4".getBytes(StandardCharsets.US_ASCII);
        byte[] start = new byte[prefix.length + secret.length];
        System.arraycopy(prefix, 0, start, 0, prefix.length);
        System.arraycopy(secret, 0, start, prefix.length, secret.length);
        byte[] dated = Hmac.sign(start, scope.date());
        byte[] regional = Hmac.sign(dated, scope.region());
        byte[] service = Hmac.sign(regional, scope.service());
        return Hmac.sign(service, CredentialScope.TERMINATOR);
    }
}
