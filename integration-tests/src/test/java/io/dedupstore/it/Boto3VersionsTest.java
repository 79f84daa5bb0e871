package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions and locks as boto3 sees them. */
class Boto3VersionsTest {
    private static final Path SCRIPT =
            Path.of("src/test/clients/boto3_versions.py").toAbsolutePath();

    @TempDir private Path temporary;

    @Test
    void versionsDeleteMarkersAndLocksAreAsTheApiSays() throws IOException {
        try (ServerProcess server = ServerProcess.start("boto3-versions")) {
            Credentials credentials = server.credentials();
            String output =
                    new Command(temporary)
                            .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                            .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                            .with("AWS_CONFIG_FILE", "/nonexistent")
                            .with("ENDPOINT", credentials.s3Endpoint().toString())
                            .run(Clients.python(), SCRIPT.toString());
            assertThat(output).endsWith("all passed\n");
        }
    }
}
