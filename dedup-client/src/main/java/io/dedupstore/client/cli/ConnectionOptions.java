package io.dedupstore.client.cli;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.AdminConnection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the server is; the same flags for every verb. */
final class ConnectionOptions {
    private static final String DEFAULT_ENDPOINT = "http://127.0.0.1:9001";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Data directory of a server on this machine; its credentials file has the rest.")
    private @Nullable Path data;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "Admin endpoint; default: " + DEFAULT_ENDPOINT)
    private @Nullable URI endpoint;

    @Option(names = "--token", paramLabel = "TOKEN", description = "Admin token.")
    private @Nullable String token;

    @Option(
            names = "--insecure",
            description = "Believe any certificate; for a try-out with a self-signed one.")
    private boolean insecure;

    AdminClient connect() throws IOException {
        return new AdminClient(connection(System.getenv()));
    }

    AdminConnection connection(Map<String, String> environment) throws IOException {
        if (data != null) {
            return AdminConnection.ofDataDirectory(data);
        }
        String secret = token == null ? environment.get("DEDUP_ADMIN_TOKEN") : token;
        if (secret == null || secret.isBlank()) {
            throw new IOException(
                    "no admin token: give --data DIR, or --token, or set DEDUP_ADMIN_TOKEN");
        }
        URI where = endpoint;
        if (where == null) {
            where = URI.create(environment.getOrDefault("DEDUP_ADMIN_ENDPOINT", DEFAULT_ENDPOINT));
        }
        try {
            return new AdminConnection(where, secret.strip(), insecure);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
