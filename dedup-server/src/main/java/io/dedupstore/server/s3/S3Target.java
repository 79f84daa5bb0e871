package io.dedupstore.server.s3;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The bucket and key a request names, in its host (virtual-host style) or its path. */
record S3Target(Optional<String> bucket, Optional<String> key) {

    /**
     * @param rawPath undecoded, begins with a slash
     * @param host the Host header
     * @param baseDomains lower case; under them the first labels of the host are the bucket
     * @throws S3Exception InvalidURI
     */
    static S3Target parse(String rawPath, Optional<String> host, List<String> baseDomains) {
        String path = decode(rawPath.substring(1));
        Optional<String> bucketOfHost = bucketOfHost(host, baseDomains);
        if (bucketOfHost.isPresent()) {
            return new S3Target(bucketOfHost, nonEmpty(path));
        }
        if (path.isEmpty()) {
            return new S3Target(Optional.empty(), Optional.empty());
        }
        int slash = path.indexOf('/');
        if (slash < 0) {
            return new S3Target(Optional.of(path), Optional.empty());
        }
        return new S3Target(
                Optional.of(path.substring(0, slash)), nonEmpty(path.substring(slash + 1)));
    }

    static Optional<String> bucketOfHost(Optional<String> host, List<String> baseDomains) {
        return host.flatMap(name -> bucketOf(name, baseDomains));
    }

    private static Optional<String> bucketOf(String host, List<String> baseDomains) {
        String name = withoutPort(host).toLowerCase(Locale.ROOT);
        for (String domain : baseDomains) {
            String suffix = "." + domain;
            if (name.length() > suffix.length() && name.endsWith(suffix)) {
                return Optional.of(name.substring(0, name.length() - suffix.length()));
            }
        }
        return Optional.empty();
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon < 0 || host.endsWith("]") ? host : host.substring(0, colon);
    }

    private static Optional<String> nonEmpty(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static String decode(String raw) {
        try {
            return UriText.decode(raw);
        } catch (IllegalArgumentException e) {
            throw new S3Exception(S3Error.INVALID_URI, S3Error.INVALID_URI.message(), e);
        }
    }
}
