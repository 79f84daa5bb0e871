package io.dedupstore.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the server writes into root-credentials.json. */
record Credentials(
        String accessKey, String secretKey, String adminToken, URI s3Endpoint, URI adminEndpoint) {
    static final String FILE = "root-credentials.json";

    static Credentials read(Path dataDirectory) throws IOException {
        JsonNode json =
                new ObjectMapper().readTree(Files.readAllBytes(dataDirectory.resolve(FILE)));
        return new Credentials(
                json.required("accessKey").asText(),
                json.required("secretKey").asText(),
                json.required("adminToken").asText(),
                URI.create(json.required("s3Endpoint").asText()),
                URI.create(json.required("adminEndpoint").asText()));
    }
}
