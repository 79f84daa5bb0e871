package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encryption as a client sees it, and as whoever has the disks sees it. */
class EncryptionTest {
    private static final Path SCRIPT =
            Path.of("src/test/clients/boto3_encryption.py").toAbsolutePath();

    @TempDir private Path temporary;

    private Command command(ServerProcess server) throws IOException {
        Credentials credentials = server.credentials();
        return new Command(temporary)
                .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                .with("AWS_CONFIG_FILE", "/nonexistent")
                .with("ENDPOINT", credentials.s3Endpoint().toString());
    }

    @Test
    void whatIsEncryptedIsReadAgainAndNeverFoundOnDisk() throws IOException {
        String python = Clients.python();
        try (ServerProcess server =
                ServerProcess.start("encryption", "--encryption-keys", "first,second")) {
            String output =
                    command(server)
                            .with("DATA", server.data().toString())
                            .run(python, SCRIPT.toString());
            assertThat(output).endsWith("all passed\n");
            server.kill9();
            server.restart();
            try (AdminClient admin = server.admin()) {
                for (String key : new String[] {"first", "dedupstore-managed"}) {
                    assertThat(admin.rotateKey(key).version()).isEqualTo(2);
                }
            }
            server.kill9();
            server.restart();
            String again = command(server).with("AGAIN", "yes").run(python, SCRIPT.toString());
            assertThat(again).endsWith("all passed\n");
            server.stop();
            assertThat(Files.readString(server.log()))
                    .doesNotContain("ERROR")
                    .doesNotContain("customer-key: ");
        }
    }
}
