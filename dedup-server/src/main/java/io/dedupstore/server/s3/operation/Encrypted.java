package io.dedupstore.server.s3.operation;

import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.metadata.ObjectEncryption;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.object.Sealing;
import io.dedupstore.server.http.ResponseHeaders;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How something that is made is encrypted.
 *
 * @param encryption what is kept of it; empty when it is in the clear
 * @param domain that its chunks belong to
 * @param customerKey null but with a client's key
 */
record Encrypted(
        Optional<ObjectEncryption> encryption,
        DomainId domain,
        Sealing sealing,
        @Nullable CustomerKey customerKey) {
    private static final int ETAG_BYTES = 16;

    static Encrypted not(DomainId domain) {
        return new Encrypted(Optional.empty(), domain, Sealing.NONE, null);
    }

    boolean hasCustomerKey() {
        return customerKey != null;
    }

    /** Whether entity tags tell nothing about the bytes. */
    static boolean hasOpaqueEtags(Optional<ObjectEncryption> encryption) {
        return encryption
                .map(
                        one ->
                                switch (one) {
                                    case ObjectEncryption.Managed managed -> false;
                                    case ObjectEncryption.Kms kms -> true;
                                    case ObjectEncryption.Customer customer -> true;
                                })
                .orElse(false);
    }

    /** The MD5, or where that would tell too much, something that nobody else can compute. */
    String etag(V v, byte[] md5) {
        RootKey key = sealing.key();
        if (key == null || !hasOpaqueEtags(encryption)) {
            return Etags.ofMd5(md5);
        }
        byte[] about = ByteBuffer.allocate(V.BYTES + md5.length).put(v.toBytes()).put(md5).array();
        return HexFormat.of().formatHex(Arrays.copyOf(key.derive("etag", about), ETAG_BYTES));
    }

    /** Adds what the response says about it. */
    void addTo(ResponseHeaders headers) {
        encryption.ifPresent(one -> add(headers, one));
        CustomerKey key = customerKey;
        if (key != null) {
            headers.add(CustomerKey.PREFIX + "algorithm", CustomerKey.ALGORITHM)
                    .add(CustomerKey.PREFIX + "key-MD5", key.md5());
        }
    }

    /** Adds what responses say about something that is there, but for keys of clients. */
    static void add(ResponseHeaders headers, ObjectEncryption encryption) {
        switch (encryption) {
            case ObjectEncryption.Managed managed ->
                    headers.add(WantedEncryption.ALGORITHM, WantedEncryption.AES256);
            case ObjectEncryption.Kms kms -> {
                headers.add(
                                WantedEncryption.ALGORITHM,
                                kms.twice() ? WantedEncryption.KMS_TWICE : WantedEncryption.KMS)
                        .add(WantedEncryption.KEY_ID, kms.keyId());
                if (kms.bucketKey()) {
                    headers.add(WantedEncryption.BUCKET_KEY, "true");
                }
            }
            case ObjectEncryption.Customer customer -> {}
        }
    }

    /** The encryption context goes only with answers to who sets it. */
    void addContext(ResponseHeaders headers) {
        encryption.ifPresent(
                one -> {
                    if (one instanceof ObjectEncryption.Kms kms && !kms.context().isEmpty()) {
                        headers.add(WantedEncryption.CONTEXT, kms.context());
                    }
                });
    }
}
