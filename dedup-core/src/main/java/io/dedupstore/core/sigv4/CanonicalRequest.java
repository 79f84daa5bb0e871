package io.dedupstore.core.sigv4;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The text a head's signature is computed over. S3 takes the path as it is: no dot segments, no
 * repeated slashes are folded.
 *
 * <p>Clients differ in two places, so there are up to four candidates, the usual one first: some
 * sign the path exactly as they send it (with characters left bare that others encode), and some
 * leave a default port out of the signed host though their HTTP library sends it, or the other way
 * round.
 */
final class CanonicalRequest {
    private CanonicalRequest() {}

    /**
     * @return distinct candidates, most likely first
     */
    static List<String> candidates(
            RequestHead head, List<String> signedHeaders, String payloadHash) {
        String query = QueryString.parse(head.rawQuery()).canonical();
        List<String> candidates = new ArrayList<>(4);
        for (String host : hosts(head)) {
            String headers = canonicalHeaders(head, signedHeaders, host);
            for (String path : paths(head.rawPath())) {
                candidates.add(
                        String.join(
                                "\n",
                                head.method(),
                                path,
                                query,
                                headers,
                                String.join(";", signedHeaders),
                                payloadHash));
            }
        }
        return candidates;
    }

    private static Set<String> paths(String rawPath) {
        Set<String> paths = new LinkedHashSet<>();
        paths.add(UriEncoding.encode(UriEncoding.decode(rawPath), true));
        paths.add(rawPath);
        return paths;
    }

    private static Set<String> hosts(RequestHead head) {
        Set<String> hosts = new LinkedHashSet<>();
        String host = head.header("host").orElse("");
        hosts.add(host);
        if (host.endsWith(":80") || host.endsWith(":443")) {
            hosts.add(host.substring(0, host.lastIndexOf(':')));
        }
        return hosts;
    }

    private static String canonicalHeaders(
            RequestHead head, List<String> signedHeaders, String host) {
        StringBuilder text = new StringBuilder(256);
        for (String name : signedHeaders) {
            String value =
                    name.equals("host")
                            ? collapse(host)
                            : head.headerValues(name).stream()
                                    .map(CanonicalRequest::collapse)
                                    .collect(Collectors.joining(","));
            text.append(name).append(':').append(value).append('\n');
        }
        return text.toString();
    }

    /** Trims, and makes inner runs of spaces one space. */
    static String collapse(String value) {
        String trimmed = value.strip();
        if (!trimmed.contains("  ")) {
            return trimmed;
        }
        StringBuilder out = new StringBuilder(trimmed.length());
        for (int i = 0; i < trimmed.length(); i++) {
            char c = trimmed.charAt(i);
            if (c != ' ' || trimmed.charAt(i - 1) != ' ') {
                out.append(c);
            }
        }
        return out.toString();
    }

    static String stringToSign(String timestamp, CredentialScope scope, String canonicalRequest) {
        return String.join(
                "\n",
                ClaimParser.ALGORITHM,
                timestamp,
                scope.text(),
                Hmac.sha256Hex(canonicalRequest));
    }
}
