package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A bucket's default encryption: what its objects get whose requests say nothing, and what no
 * request may ask for.
 *
 * @param algorithm empty where the configuration has no default
 * @param blocked kinds of encryption that are refused
 */
record BucketEncryption(
        Optional<String> algorithm,
        Optional<String> keyId,
        boolean bucketKey,
        List<String> blocked) {
    static final BucketEncryption NONE =
            new BucketEncryption(Optional.empty(), Optional.empty(), false, List.of());
    static final BucketEncryption MANAGED =
            new BucketEncryption(
                    Optional.of(WantedEncryption.AES256), Optional.empty(), false, List.of());

    private static final String ROOT = "ServerSideEncryptionConfiguration";
    private static final String CUSTOMER = "SSE-C";
    private static final String NO_BLOCK = "NONE";

    BucketEncryption {
        blocked = List.copyOf(blocked);
    }

    /**
     * @throws S3Exception MalformedXML, InvalidArgument
     */
    static BucketEncryption parse(byte[] document) {
        List<XmlElement> rules = XmlReader.parse(document, ROOT).children("Rule");
        if (rules.size() != 1) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        XmlElement rule = rules.getFirst();
        Optional<XmlElement> byDefault = rule.child("ApplyServerSideEncryptionByDefault");
        Optional<String> algorithm =
                byDefault.map(found -> found.requiredText("SSEAlgorithm").strip());
        Optional<String> keyId =
                byDefault
                        .flatMap(found -> found.childText("KMSMasterKeyID"))
                        .map(String::strip)
                        .filter(id -> !id.isEmpty());
        algorithm.ifPresent(name -> check(name, keyId));
        List<String> blocked = blocked(rule);
        if (algorithm.isEmpty() && blocked.isEmpty() && rule.child("BucketKeyEnabled").isEmpty()) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        boolean bucketKey =
                rule.childText("BucketKeyEnabled").map(text -> flag(text.strip())).orElse(false);
        return new BucketEncryption(algorithm, keyId, bucketKey, blocked);
    }

    private static void check(String algorithm, Optional<String> keyId) {
        switch (algorithm) {
            case WantedEncryption.KMS, WantedEncryption.KMS_TWICE -> {}
            case WantedEncryption.AES256 ->
                    keyId.ifPresent(
                            id -> {
                                throw S3Exception.invalidArgument(
                                        "a KMSMasterKeyID is not applicable if the default sse"
                                                + " algorithm is not aws:kms or aws:kms:dsse",
                                        "KMSMasterKeyID",
                                        id);
                            });
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        }
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new S3Exception(S3Error.MALFORMED_XML);
        };
    }

    private static List<String> blocked(XmlElement rule) {
        List<String> types = new ArrayList<>();
        rule.child("BlockedEncryptionTypes").stream()
                .flatMap(list -> list.children("EncryptionType").stream())
                .map(type -> type.text().strip())
                .forEach(types::add);
        if (!types.stream().allMatch(type -> type.equals(CUSTOMER) || type.equals(NO_BLOCK))
                || types.size() > 1) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return types;
    }

    /** As it is answered. */
    byte[] document() {
        XmlWriter xml = XmlWriter.s3(ROOT).open("Rule");
        algorithm.ifPresent(
                name -> {
                    xml.open("ApplyServerSideEncryptionByDefault").text("SSEAlgorithm", name);
                    keyId.ifPresent(id -> xml.text("KMSMasterKeyID", id));
                    xml.close();
                });
        xml.text("BucketKeyEnabled", bucketKey);
        if (!blocked.isEmpty()) {
            xml.open("BlockedEncryptionTypes");
            blocked.forEach(type -> xml.text("EncryptionType", type));
            xml.close();
        }
        return xml.toBytes();
    }

    boolean refusesCustomerKeys() {
        return blocked.contains(CUSTOMER);
    }

    /** What an object gets whose request says nothing. */
    WantedEncryption byDefault() {
        return switch (algorithm.orElse("")) {
            case WantedEncryption.KMS -> kms(false);
            case WantedEncryption.KMS_TWICE -> kms(true);
            case WantedEncryption.AES256 -> new WantedEncryption.Managed();
            default -> new WantedEncryption.Unsaid();
        };
    }

    private WantedEncryption kms(boolean twice) {
        return new WantedEncryption.Kms(keyId, "", Optional.of(bucketKey), twice);
    }
}
