package io.dedupstore.core.sigv4;

import java.util.Optional;
import java.util.regex.Pattern;

/** The place and day a signing key is good for. */
public record CredentialScope(String date, String region, String service) {
    static final String TERMINATOR = "aws4_request";

    private static final Pattern DATE = Pattern.compile("[0-9]{8}");

    public CredentialScope {
        if (!DATE.matcher(date).matches()) {
            throw new IllegalArgumentException("a scope's date has eight digits");
        }
    }

    /** An access key and its scope, as in {@code AKID/20260101/us-east-1/s3/aws4_request}. */
    record Scoped(String accessKey, CredentialScope scope) {}

    /** Empty unless the text has the five parts; an access key may hold slashes of its own. */
    static Optional<Scoped> parse(String credential) {
        String[] parts = credential.split("/", -1);
        int n = parts.length;
        if (n < 5 || !parts[n - 1].equals(TERMINATOR) || !DATE.matcher(parts[n - 4]).matches()) {
            return Optional.empty();
        }
        CredentialScope scope = new CredentialScope(parts[n - 4], parts[n - 3], parts[n - 2]);
        String suffix = "/" + scope.text();
        String accessKey = credential.substring(0, credential.length() - suffix.length());
        return accessKey.isEmpty() ? Optional.empty() : Optional.of(new Scoped(accessKey, scope));
    }

    String text() {
        return date + "/" + region + "/" + service + "/" + TERMINATOR;
    }
}
