package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One buffer after the other with the JDK's intrinsics; always present, and the native twin's
 * oracle.
 */
final class JdkHashEngine implements HashEngine {

    @Override
    public byte[] sha256(List<ByteBuffer> buffers) {
        MessageDigest digester = JdkRunningDigest.digester(DigestAlgorithm.SHA256);
        byte[] out = new byte[buffers.size() * SHA256_LENGTH];
        int at = 0;
        for (ByteBuffer buffer : buffers) {
            digester.update(buffer.duplicate());
            System.arraycopy(digester.digest(), 0, out, at, SHA256_LENGTH);
            at += SHA256_LENGTH;
        }
        return out;
    }

    @Override
    public byte[] hmacSha256(HmacKey key, byte[] digests) {
        if (digests.length % SHA256_LENGTH != 0) {
            throw new IllegalArgumentException(digests.length + " bytes are not whole digests");
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.bytes(), "HmacSHA256"));
            byte[] out = new byte[digests.length];
            for (int at = 0; at < digests.length; at += SHA256_LENGTH) {
                mac.update(digests, at, SHA256_LENGTH);
                mac.doFinal(out, at);
            }
            return out;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HmacSHA256", e);
        }
    }

    @Override
    public RunningDigest start(DigestAlgorithm algorithm) {
        return new JdkRunningDigest(algorithm);
    }

    @Override
    public String driverName() {
        return "jdk";
    }
}
