package io.dedupstore.core.fingerprint;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

record JdkRunningDigest(DigestAlgorithm algorithm, MessageDigest digester)
        implements RunningDigest {

    JdkRunningDigest(DigestAlgorithm algorithm) {
        this(algorithm, digester(algorithm));
    }

    static MessageDigest digester(DigestAlgorithm algorithm) {
        try {
            return MessageDigest.getInstance(algorithm.jdkName());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks " + algorithm.jdkName(), e);
        }
    }

    @Override
    public void update(ByteBuffer bytes) {
        digester.update(bytes);
    }

    @Override
    public byte[] digest() {
        return digester.digest();
    }
}
