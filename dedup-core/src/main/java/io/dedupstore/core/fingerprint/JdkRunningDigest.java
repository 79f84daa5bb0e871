package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** One stream through the Java runtime's own digest; always there, and the native one's oracle. */
final class JdkRunningDigest extends RunningDigest {
    private final DigestAlgorithm algorithm;
    private final MessageDigest digester;

    JdkRunningDigest(DigestAlgorithm algorithm) {
        this.algorithm = algorithm;
        try {
            this.digester = MessageDigest.getInstance(algorithm.jdkName());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks " + algorithm.jdkName(), e);
        }
    }

    @Override
    void update(ByteBuffer bytes) {
        digester.update(bytes);
    }

    @Override
    public byte[] digest() {
        return digester.digest();
    }

    @Override
    public DigestAlgorithm algorithm() {
        return algorithm;
    }
}
