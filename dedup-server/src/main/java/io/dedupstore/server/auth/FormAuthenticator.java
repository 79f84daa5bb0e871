package io.dedupstore.server.auth;

import io.dedupstore.core.sigv4.PostPolicySignature;
import io.dedupstore.core.sigv4.SigV2Verifier;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out who signed a browser's form: its policy carries the signature, in version 4 or, where
 * that is switched on, version 2. Whether the policy allows the form is not decided here. Safe for
 * many threads.
 */
public final class FormAuthenticator {
    private final CredentialStore credentials;
    private final String region;
    private final boolean version2;
    private final InstantSource clock;

    /**
     * @param region the region that credential scopes must name
     * @param version2 whether signatures of version 2 are good enough
     */
    public FormAuthenticator(
            CredentialStore credentials, String region, boolean version2, InstantSource clock) {
        this.credentials = credentials;
        this.region = region;
        this.version2 = version2;
        this.clock = clock;
    }

    /**
     * @param fields by name in lower case
     * @return the anonymous for a form that is not signed
     * @throws SigV4Exception if the form is signed, and not in a way that holds
     */
    public Principal authenticate(Map<String, String> fields) {
        boolean signed4 = fields.containsKey("x-amz-signature");
        boolean signed2 = fields.containsKey("signature");
        boolean named4 = fields.containsKey("x-amz-credential");
        boolean named2 = fields.containsKey("awsaccesskeyid");
        if (!fields.containsKey("policy") && !signed4 && !signed2 && !named4 && !named2) {
            return Principal.ANONYMOUS;
        }
        String policy = require(fields, "Policy");
        return signed4 || named4 ? ofVersion4(fields, policy) : ofVersion2(fields, policy);
    }

    private Principal ofVersion4(Map<String, String> fields, String policy) {
        PostPolicySignature signature =
                PostPolicySignature.parse(
                        require(fields, "X-Amz-Algorithm"),
                        require(fields, "X-Amz-Credential"),
                        require(fields, "X-Amz-Date"),
                        require(fields, "X-Amz-Signature"),
                        region);
        Optional<Credential> credential = find(fields, signature.accessKey());
        signature.verify(policy, credential.map(Credential::secret));
        return TokenChecks.principal(credential.orElseThrow(), clock.instant());
    }

    private Principal ofVersion2(Map<String, String> fields, String policy) {
        String accessKey = require(fields, "AWSAccessKeyId");
        String signature = require(fields, "Signature");
        if (!version2) {
            throw new SigV4Exception(
                    Reason.UNSUPPORTED_MECHANISM,
                    "The authorization mechanism you have provided is not supported."
                            + " Please use AWS4-HMAC-SHA256.");
        }
        Optional<Credential> credential = find(fields, accessKey);
        SigV2Verifier.verifyForm(accessKey, policy, signature, credential.map(Credential::secret));
        return TokenChecks.principal(credential.orElseThrow(), clock.instant());
    }

    private Optional<Credential> find(Map<String, String> fields, String accessKey) {
        Optional<String> token =
                Optional.ofNullable(fields.get("x-amz-security-token"))
                        .filter(text -> !text.isEmpty());
        return TokenChecks.find(credentials, accessKey, token);
    }

    private static String require(Map<String, String> fields, String label) {
        String value = fields.get(label.toLowerCase(Locale.ROOT));
        if (value == null) {
            throw new SigV4Exception(
                    Reason.MISSING_FORM_FIELD,
                    "Bucket POST must contain a field named '"
                            + label
                            + "'.  If it is specified, please check the order of the fields.",
                    Map.of("ArgumentName", label, "ArgumentValue", ""));
        }
        return value;
    }
}
