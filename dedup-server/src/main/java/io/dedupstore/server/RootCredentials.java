package io.dedupstore.server;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * {@code root-credentials.json}: what the operator needs to reach the node, readable by the owner
 * alone. The endpoints are rewritten at each start with the ports in use. Never log it.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record RootCredentials(
        String accessKey,
        String secretKey,
        String adminToken,
        String s3Endpoint,
        String adminEndpoint) {
    static final String FILE = "root-credentials.json";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final char[] KEY_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".toCharArray();

    static RootCredentials generate(SecureRandom random) {
        StringBuilder accessKey = new StringBuilder("DEDUP");
        for (int i = 0; i < 15; i++) {
            accessKey.append(KEY_ALPHABET[random.nextInt(KEY_ALPHABET.length)]);
        }
        return new RootCredentials(
                accessKey.toString(), secret(random, 30), secret(random, 32), "", "");
    }

    static Optional<RootCredentials> read(DataDirectory directory) {
        Path file = directory.resolve(FILE);
        try {
            return Files.exists(file)
                    ? Optional.of(JSON.readValue(file.toFile(), RootCredentials.class))
                    : Optional.empty();
        } catch (IOException e) {
            throw new StartException(
                    "%s cannot be read; repair or remove it (a new admin token is made then)"
                            .formatted(file),
                    e);
        }
    }

    void write(DataDirectory directory) {
        Path file = directory.resolve(FILE);
        try {
            String text = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this);
            DurableFiles.replace(file, text + "\n", "rw-------");
        } catch (IOException e) {
            throw new StartException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    RootCredentials withEndpoints(String s3, String admin) {
        return new RootCredentials(accessKey, secretKey, adminToken, s3, admin);
    }

    private static String secret(SecureRandom random, int bytes) {
        byte[] secret = new byte[bytes];
        random.nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    @Override
    public String toString() {
        return "RootCredentials[" + accessKey + "]";
    }
}
