package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeSha256;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA-256 of packed SHA-256 digests, in place. One thread's own. */
interface KeyedDigests {

    void apply(HmacKey key, byte[] digests);

    static KeyedDigests ofNative(NativeSha256.Table table) {
        return (key, digests) -> {
            int rows = NativeSha256.Table.ROWS * NativeSha256.LENGTH;
            for (int at = 0; at < digests.length; at += rows) {
                int n = Math.min(digests.length - at, rows) / NativeSha256.LENGTH;
                table.hmacSha256(key.midstates(), digests, digests, at, n);
            }
        };
    }

    static KeyedDigests ofJdk() {
        return (key, digests) -> {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(key.bytes(), "HmacSHA256"));
                for (int at = 0; at < digests.length; at += NativeSha256.LENGTH) {
                    mac.update(digests, at, NativeSha256.LENGTH);
                    mac.doFinal(digests, at);
                }
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java runtime lacks HmacSHA256", e);
            }
        };
    }
}
