package io.dedupstore.server.s3.operation;

import io.dedupstore.core.cipher.KeyDigest;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.metadata.ObjectEncryption;
import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A key that a client sends with its request, and that is forgotten with it (SSE-C).
 *
 * @param md5 of the key, Base64: what the client sent, to be answered
 */
record CustomerKey(RootKey key, String md5) {
    static final String PREFIX = "x-amz-server-side-encryption-customer-";
    static final String SOURCE_PREFIX = "x-amz-copy-source-server-side-encryption-customer-";
    static final String ALGORITHM = "AES256";

    private static final int SALT_BYTES = 16;
    private static final int MD5_BYTES = 16;

    /**
     * The key that a request carries.
     *
     * @param fields headers, or fields of a form, by lower-case name
     * @throws S3Exception what is wrong with it
     */
    static Optional<CustomerKey> of(Function<String, Optional<String>> fields, String prefix) {
        Optional<String> algorithm = fields.apply(prefix + "algorithm");
        Optional<String> key = fields.apply(prefix + "key");
        Optional<String> md5 = fields.apply(prefix + "key-md5");
        if (algorithm.isEmpty() && key.isEmpty() && md5.isEmpty()) {
            return Optional.empty();
        }
        if (algorithm.isEmpty()) {
            throw invalid(
                    "Requests specifying Server Side Encryption with Customer provided keys must"
                            + " provide a valid encryption algorithm.",
                    prefix + "algorithm",
                    "null");
        }
        if (!algorithm.get().equals(ALGORITHM)) {
            throw new S3Exception(S3Error.INVALID_ENCRYPTION_ALGORITHM)
                    .with("ArgumentName", prefix + "algorithm")
                    .with("ArgumentValue", algorithm.get());
        }
        byte[] bytes = decode(key, prefix);
        try {
            check(bytes, md5, prefix);
            return Optional.of(new CustomerKey(new RootKey(bytes, 0), md5.orElse("")));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static byte[] decode(Optional<String> key, String prefix) {
        if (key.isEmpty()) {
            throw invalid(
                    "Requests specifying Server Side Encryption with Customer provided keys must"
                            + " provide an appropriate secret key.",
                    prefix + "key",
                    "null");
        }
        byte[] bytes = base64(key.get());
        if (bytes.length != RootKey.BYTES) {
            // Never the value: it may be a key all the same.
            throw new S3Exception(
                            S3Error.INVALID_ARGUMENT,
                            "The secret key was invalid for the specified algorithm.")
                    .with("ArgumentName", prefix + "key");
        }
        return bytes;
    }

    private static void check(byte[] key, Optional<String> md5, String prefix) {
        if (md5.isEmpty()) {
            throw invalid(
                    "Requests specifying Server Side Encryption with Customer provided keys must"
                            + " provide the client calculated MD5 of the secret key.",
                    prefix + "key-MD5",
                    "null");
        }
        byte[] given = base64(md5.get());
        if (given.length != MD5_BYTES || !MessageDigest.isEqual(given, KeyDigest.md5(key))) {
            throw invalid(
                    "The calculated MD5 hash of the key did not match the hash that was provided.",
                    prefix + "key-MD5",
                    md5.get());
        }
    }

    private static S3Exception invalid(String message, String name, String value) {
        return S3Exception.invalidArgument(message, name, value);
    }

    /** Empty for what is no Base64. */
    private static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** What is kept of it: enough to tell another key, not enough to find this one. */
    ObjectEncryption.Customer mark(RandomGenerator random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new ObjectEncryption.Customer(salt, check(salt));
    }

    /** Whether it is the key that was marked. */
    boolean fits(ObjectEncryption.Customer mark) {
        return MessageDigest.isEqual(mark.check(), check(mark.salt()));
    }

    private byte[] check(byte[] salt) {
        return key.derive("customer-check", salt);
    }
}
