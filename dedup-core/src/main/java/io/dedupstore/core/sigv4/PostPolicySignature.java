package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The signature of a browser's form upload, which covers the Base64 text of the policy and nothing
 * else: that the policy allows the form is the caller's to check. A policy carries its own expiry,
 * so no clock is asked.
 */
public final class PostPolicySignature {
    private final String accessKey;
    private final CredentialScope scope;
    private final String signature;

    private PostPolicySignature(String accessKey, CredentialScope scope, String signature) {
        this.accessKey = accessKey;
        this.scope = scope;
        this.signature = signature;
    }

    /**
     * Reads the form fields {@code x-amz-algorithm}, {@code -credential}, {@code -date} and {@code
     * -signature}.
     */
    public static PostPolicySignature parse(
            String algorithm, String credential, String date, String signature, String region) {
        if (!algorithm.equals(ClaimParser.ALGORITHM)) {
            throw malformed("X-Amz-Algorithm only supports \"AWS4-HMAC-SHA256\"");
        }
        CredentialScope.Scoped scoped =
                CredentialScope.parse(credential)
                        .orElseThrow(() -> malformed("the X-Amz-Credential field is mal-formed"));
        if (!scoped.scope().region().equals(region) || !scoped.scope().service().equals("s3")) {
            throw new SigV4Exception(
                    Reason.QUERY_PARAMETERS_MALFORMED,
                    "Error parsing the X-Amz-Credential field; expecting region '"
                            + region
                            + "' and service 's3'",
                    Map.of("Region", region));
        }
        if (Timestamps.parseBasic(date).isEmpty() || !date.startsWith(scoped.scope().date())) {
            throw malformed("X-Amz-Date is not a date of the credential's day");
        }
        return new PostPolicySignature(scoped.accessKey(), scoped.scope(), signature);
    }

    public String accessKey() {
        return accessKey;
    }

    /**
     * @param secret empty if the access key is unknown
     * @throws SigV4Exception unless the signature is genuine
     */
    public void verify(String policyBase64, Optional<byte[]> secret) {
        byte[] key = SigningKeys.derive(secret.orElse(new byte[40]), scope);
        boolean genuine = Hmac.matches(Hmac.sign(key, policyBase64), signature);
        if (secret.isEmpty()) {
            throw new SigV4Exception(
                    Reason.UNKNOWN_ACCESS_KEY,
                    "The AWS Access Key Id you provided does not exist in our records.",
                    Map.of("AWSAccessKeyId", accessKey));
        }
        if (!genuine) {
            Map<String, String> details = new LinkedHashMap<>();
            details.put("AWSAccessKeyId", accessKey);
            details.put("StringToSign", policyBase64);
            details.put("SignatureProvided", signature);
            throw new SigV4Exception(
                    Reason.SIGNATURE_MISMATCH,
                    "The request signature we calculated does not match the signature you"
                            + " provided. Check your key and signing method.",
                    details);
        }
    }

    private static SigV4Exception malformed(String message) {
        return new SigV4Exception(Reason.QUERY_PARAMETERS_MALFORMED, message);
    }
}
