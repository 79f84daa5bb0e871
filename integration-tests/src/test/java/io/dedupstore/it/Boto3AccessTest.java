package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Boto3AccessTest {
    private static final Path SCRIPT = Path.of("src/test/clients/access_check.py").toAbsolutePath();

    @TempDir private Path temporary;

    @Test
    void accountsPoliciesListsIdentitiesAndTokensWork() throws IOException {
        String python = Clients.python();
        try (ServerProcess server = ServerProcess.start("boto3-access")) {
            Credentials credentials = server.credentials();
            String output =
                    new Command(temporary)
                            .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                            .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                            .with("AWS_CONFIG_FILE", "/nonexistent")
                            .with("ENDPOINT", credentials.s3Endpoint().toString())
                            .with("ADMIN", credentials.adminEndpoint().toString())
                            .with("ADMIN_TOKEN", credentials.adminToken())
                            .run(python, SCRIPT.toString());
            assertThat(output).endsWith("all passed\n");
        }
    }
}
