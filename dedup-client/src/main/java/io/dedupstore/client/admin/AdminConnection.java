package io.dedupstore.client.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where the admin API is and what opens it.
 *
 * @param endpoint scheme, host and port
 * @param trustAnyCertificate for a try-out with a self-signed certificate: whoever sits in between
 *     can read the token
 */
public record AdminConnection(URI endpoint, String token, boolean trustAnyCertificate) {
    /** What a server writes into its data directory for its owner. */
    public static final String CREDENTIALS_FILE = "root-credentials.json";

    public AdminConnection {
        Objects.requireNonNull(token, "token");
        String scheme = endpoint.getScheme();
        if (!("http".equals(scheme) || "https".equals(scheme)) || endpoint.getHost() == null) {
            throw new IllegalArgumentException(
                    "the endpoint must be like http://127.0.0.1:9001, not " + endpoint);
        }
    }

    /** Of the server that runs on this data directory. */
    public static AdminConnection ofDataDirectory(Path directory) throws IOException {
        Path file = directory.resolve(CREDENTIALS_FILE);
        if (!Files.exists(file)) {
            throw new IOException(
                    file + " does not exist: no server was ever started on this directory");
        }
        ObjectMapper mapper = AdminJson.lenient();
        try {
            JsonNode root = mapper.readTree(Files.readAllBytes(file));
            URI endpoint = URI.create(root.path("adminEndpoint").asText());
            return new AdminConnection(
                    endpoint,
                    root.path("adminToken").asText(),
                    "https".equals(endpoint.getScheme()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException(file + " is not what a server writes: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "AdminConnection[" + endpoint + "]";
    }
}
