package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forms, checksums, life-cycle rules and refusals, as boto3 and bare requests see them. */
class FormsTest {
    private static final Path SCRIPT = Path.of("src/test/clients/forms_check.py").toAbsolutePath();

    @TempDir private Path temporary;

    @Test
    void requestsAreAnsweredAsS3AnswersThem() throws IOException {
        String python = Clients.python();
        try (ServerProcess server =
                ServerProcess.start(
                        "forms", "--legacy-signatures", "true", "--lifecycle-day", "1s")) {
            Credentials credentials = server.credentials();
            String output =
                    new Command(temporary)
                            .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                            .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                            .with("AWS_CONFIG_FILE", "/nonexistent")
                            .with("ENDPOINT", credentials.s3Endpoint().toString())
                            .run(python, SCRIPT.toString());
            assertThat(output).endsWith("all passed\n");
        }
    }
}
