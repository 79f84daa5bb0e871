package io.dedupstore.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.dedupstore.client.admin.AdminConnection;
import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.s3.S3Connection;
import io.dedupstore.client.s3.S3Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where an S3 server is and as whom it is read. */
final class S3Options {
    private static final String LOCAL_ENDPOINT = "http://127.0.0.1:9000";
    private static final String DEFAULT_REGION = "us-east-1";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Data directory of a server on this machine; its credentials file has endpoint and keys.")
    private @Nullable Path data;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description =
                    "S3 endpoint; default: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else "
                            + LOCAL_ENDPOINT
                            + " for a bucket's name and Amazon S3 for an s3:// URL.")
    private @Nullable URI endpoint;

    @Option(
            names = "--region",
            paramLabel = "REGION",
            description = "Default: AWS_REGION or AWS_DEFAULT_REGION, else " + DEFAULT_REGION + ".")
    private @Nullable String region;

    @Option(names = "--access-key", paramLabel = "KEY", description = "Default: AWS_ACCESS_KEY_ID.")
    private @Nullable String accessKey;

    @Option(
            names = "--secret-key",
            paramLabel = "KEY",
            description =
                    "Default: AWS_SECRET_ACCESS_KEY, which other users of the machine can't see.")
    private @Nullable String secretKey;

    @Option(names = "--anonymous", description = "Sign nothing; for public buckets.")
    private boolean anonymous;

    @Option(
            names = "--insecure",
            description = "Believe any certificate; for a try-out with a self-signed one.")
    private boolean insecure;

    /**
     * @param local whether, without an endpoint, a server on this machine is meant
     */
    S3Connection connection(boolean local, Map<String, String> environment) throws IOException {
        try {
            return data == null ? remote(local, environment) : ofDataDirectory(data);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private S3Connection remote(boolean local, Map<String, String> environment) throws IOException {
        String where =
                first(environment, "AWS_REGION", "AWS_DEFAULT_REGION").orElse(DEFAULT_REGION);
        where = region == null ? where : region;
        URI at = endpoint;
        if (at == null) {
            at =
                    URI.create(
                            first(environment, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
                                    .orElse(
                                            local
                                                    ? LOCAL_ENDPOINT
                                                    : "https://s3." + where + ".amazonaws.com"));
        }
        return new S3Connection(at, where, credentials(environment), insecure);
    }

    private @Nullable S3Credentials credentials(Map<String, String> environment)
            throws IOException {
        if (anonymous) {
            return null;
        }
        if (accessKey != null && secretKey != null) {
            return new S3Credentials(accessKey, secretKey, null);
        }
        if (accessKey != null || secretKey != null) {
            throw new IOException("--access-key and --secret-key belong together");
        }
        String access = environment.getOrDefault("AWS_ACCESS_KEY_ID", "");
        String secret = environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "");
        if (access.isBlank() || secret.isBlank()) {
            throw new IOException(
                    "no credentials: give --data DIR, or set AWS_ACCESS_KEY_ID and"
                            + " AWS_SECRET_ACCESS_KEY, or --anonymous for a public bucket");
        }
        return new S3Credentials(
                access.strip(),
                secret.strip(),
                first(environment, "AWS_SESSION_TOKEN").orElse(null));
    }

    private static S3Connection ofDataDirectory(Path directory) throws IOException {
        Path file = directory.resolve(AdminConnection.CREDENTIALS_FILE);
        if (!Files.exists(file)) {
            throw new IOException(
                    file + " does not exist: no server was ever started on this directory");
        }
        try {
            JsonNode root = AdminJson.lenient().readTree(Files.readAllBytes(file));
            URI at = URI.create(root.path("s3Endpoint").asText());
            return new S3Connection(
                    at,
                    DEFAULT_REGION,
                    new S3Credentials(
                            root.path("accessKey").asText(), root.path("secretKey").asText(), null),
                    "https".equals(at.getScheme()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException(file + " is not what a server writes: " + e.getMessage(), e);
        }
    }

    private static Optional<String> first(Map<String, String> environment, String... names) {
        return Stream.of(names)
                .map(name -> environment.getOrDefault(name, "").strip())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }
}
