package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Boto3Test {
    private static final Path SCRIPT = Path.of("src/test/clients/boto3_check.py").toAbsolutePath();

    @TempDir private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void everyPayloadModeAndChecksumIsTaken(String scheme) throws IOException {
        String python = Clients.python();
        String[] flags =
                scheme.equals("https") ? new String[] {"--tls-self-signed"} : new String[0];
        try (ServerProcess server = ServerProcess.start("boto3-" + scheme, flags)) {
            Credentials credentials = server.credentials();
            Command command =
                    new Command(temporary)
                            .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                            .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                            .with("AWS_CONFIG_FILE", "/nonexistent")
                            .with("ENDPOINT", credentials.s3Endpoint().toString());
            if (scheme.equals("https")) {
                command.with(
                        "CA_BUNDLE",
                        Tls.writeCertificate(
                                        credentials.s3Endpoint(), temporary.resolve("server.pem"))
                                .toString());
            }
            String output = command.run(python, SCRIPT.toString());
            assertThat(output).endsWith("all passed\n");
        }
    }
}
