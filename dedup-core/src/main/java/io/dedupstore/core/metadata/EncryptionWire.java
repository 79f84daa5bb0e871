package io.dedupstore.core.metadata;

import com.google.protobuf.ByteString;
import io.dedupstore.core.model.DomainId;

/** How a version is encrypted, to and from its protobuf form. */
final class EncryptionWire {
    private EncryptionWire() {}

    static MetadataProto.Encryption toProto(ObjectEncryption encryption) {
        MetadataProto.Encryption.Builder to = MetadataProto.Encryption.newBuilder();
        switch (encryption) {
            case ObjectEncryption.Managed managed ->
                    to.setKind(MetadataProto.Encryption.Kind.MANAGED)
                            .setDomain(managed.domain().value());
            case ObjectEncryption.Kms kms ->
                    to.setKind(
                                    kms.twice()
                                            ? MetadataProto.Encryption.Kind.KMS_TWICE
                                            : MetadataProto.Encryption.Kind.KMS)
                            .setDomain(kms.domain().value())
                            .setKmsKey(kms.keyId())
                            .setContext(kms.context())
                            .setBucketKey(kms.bucketKey());
            case ObjectEncryption.Customer customer ->
                    to.setKind(MetadataProto.Encryption.Kind.CUSTOMER)
                            .setSalt(ByteString.copyFrom(customer.salt()))
                            .setCheck(ByteString.copyFrom(customer.check()));
        }
        return to.build();
    }

    static ObjectEncryption of(MetadataProto.Encryption from) {
        return switch (from.getKind()) {
            case MANAGED -> new ObjectEncryption.Managed(new DomainId(from.getDomain()));
            case KMS -> kms(from, false);
            case KMS_TWICE -> kms(from, true);
            case CUSTOMER ->
                    new ObjectEncryption.Customer(
                            from.getSalt().toByteArray(), from.getCheck().toByteArray());
            case UNKNOWN, UNRECOGNIZED ->
                    throw new IllegalStateException("a version is encrypted in an unknown way");
        };
    }

    private static ObjectEncryption kms(MetadataProto.Encryption from, boolean twice) {
        return new ObjectEncryption.Kms(
                new DomainId(from.getDomain()),
                from.getKmsKey(),
                from.getContext(),
                from.getBucketKey(),
                twice);
    }
}
