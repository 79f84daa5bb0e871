package io.dedupstore.server.s3.operation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dedupstore.server.s3.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a request, or a bucket's configuration, says about encryption of what is made. */
sealed interface WantedEncryption {
    String ALGORITHM = "x-amz-server-side-encryption";
    String KEY_ID = "x-amz-server-side-encryption-aws-kms-key-id";
    String CONTEXT = "x-amz-server-side-encryption-context";
    String BUCKET_KEY = "x-amz-server-side-encryption-bucket-key-enabled";

    String AES256 = "AES256";
    String KMS = "aws:kms";
    String KMS_TWICE = "aws:kms:dsse";

    /** Nothing. */
    record Unsaid() implements WantedEncryption {}

    record Managed() implements WantedEncryption {}

    /**
     * @param keyId as the client names it; empty for the default
     * @param context Base64; empty for none
     * @param bucketKey empty where the bucket's configuration decides
     */
    record Kms(Optional<String> keyId, String context, Optional<Boolean> bucketKey, boolean twice)
            implements WantedEncryption {}

    record Customer(CustomerKey key) implements WantedEncryption {}

    /**
     * @param fields headers, or fields of a form, by lower-case name; no empty ones but for the
     *     algorithm
     * @throws S3Exception what is wrong with them
     */
    static WantedEncryption of(Function<String, Optional<String>> fields) {
        Optional<String> algorithm = fields.apply(ALGORITHM);
        Optional<CustomerKey> customer = CustomerKey.of(fields, CustomerKey.PREFIX);
        if (customer.isPresent()) {
            if (algorithm.isPresent()) {
                throw S3Exception.invalidArgument(
                        "Server Side Encryption with Customer provided key is incompatible with the"
                                + " encryption method specified",
                        ALGORITHM,
                        algorithm.get());
            }
            return new Customer(customer.get());
        }
        Optional<Boolean> bucketKey = fields.apply(BUCKET_KEY).map(WantedEncryption::flag);
        return switch (algorithm.orElse(null)) {
            case null -> {
                refuseKmsFields(fields, "null");
                yield new Unsaid();
            }
            case AES256 -> {
                refuseKmsFields(fields, AES256);
                yield new Managed();
            }
            case KMS, KMS_TWICE ->
                    new Kms(
                            fields.apply(KEY_ID),
                            fields.apply(CONTEXT).map(WantedEncryption::context).orElse(""),
                            bucketKey,
                            algorithm.get().equals(KMS_TWICE));
            case String other ->
                    throw S3Exception.invalidArgument(
                            "The encryption method specified is not supported", ALGORITHM, other);
        };
    }

    private static void refuseKmsFields(
            Function<String, Optional<String>> fields, @Nullable String algorithm) {
        if (fields.apply(KEY_ID).isPresent() || fields.apply(CONTEXT).isPresent()) {
            throw S3Exception.invalidArgument(
                    "Server Side Encryption with AWS KMS managed key requires HTTP header"
                            + " x-amz-server-side-encryption : aws:kms",
                    ALGORITHM,
                    String.valueOf(algorithm));
        }
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true", "True", "TRUE" -> true;
            case "false", "False", "FALSE" -> false;
            default ->
                    throw S3Exception.invalidArgument(
                            "The header 'x-amz-server-side-encryption-bucket-key-enabled' must be"
                                    + " true or false",
                            BUCKET_KEY,
                            text);
        };
    }

    private static String context(String text) {
        try {
            String json = new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
            JsonNode node = Contexts.JSON.readTree(json);
            boolean isMap = node != null && node.isObject();
            if (isMap) {
                for (JsonNode value : node) {
                    isMap &= value.isTextual();
                }
            }
            if (isMap) {
                return text;
            }
        } catch (IllegalArgumentException | JsonProcessingException e) {
            // Refused below.
        }
        throw S3Exception.invalidArgument(
                "The header '"
                        + CONTEXT
                        + "' shall be Base64-encoded UTF-8 string holding JSON which represents a"
                        + " string-string map",
                CONTEXT,
                text);
    }

    /** What reads encryption contexts. */
    final class Contexts {
        private static final ObjectMapper JSON = new ObjectMapper();

        private Contexts() {}
    }
}
