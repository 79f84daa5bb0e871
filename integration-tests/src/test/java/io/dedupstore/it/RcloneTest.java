package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RcloneTest {
    @TempDir private Path temporary;

    @Test
    void copiesSyncsAndChecks() throws IOException {
        String rclone = Clients.rclone();
        try (ServerProcess server = ServerProcess.start("rclone")) {
            Credentials credentials = server.credentials();
            Command command =
                    new Command(temporary)
                            .with("RCLONE_CONFIG", temporary.resolve("rclone.conf").toString())
                            .with("RCLONE_CONFIG_STORE_TYPE", "s3")
                            .with("RCLONE_CONFIG_STORE_PROVIDER", "Other")
                            .with("RCLONE_CONFIG_STORE_ACCESS_KEY_ID", credentials.accessKey())
                            .with("RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY", credentials.secretKey())
                            .with(
                                    "RCLONE_CONFIG_STORE_ENDPOINT",
                                    credentials.s3Endpoint().toString())
                            .with("RCLONE_RETRIES", "1");
            Path source = TestFiles.tree(temporary.resolve("source"));
            command.run(rclone, "mkdir", "store:rclone");
            command.run(rclone, "copy", source.toString(), "store:rclone/tree");
            command.run(rclone, "check", source.toString(), "store:rclone/tree");
            command.run(rclone, "check", "--download", source.toString(), "store:rclone/tree");

            Files.delete(source.resolve("empty"));
            TestFiles.write(source.resolve("inline"), 99, 200);
            TestFiles.write(source.resolve("new/file"), 98, 70_000);
            command.run(rclone, "sync", source.toString(), "store:rclone/tree");
            command.run(rclone, "check", source.toString(), "store:rclone/tree");

            Path back = temporary.resolve("back");
            command.run(rclone, "copy", "store:rclone/tree", back.toString());
            assertThat(TestFiles.hashes(back)).isEqualTo(TestFiles.hashes(source));
            command.run(rclone, "copyto", "store:rclone/tree/large.bin", "store:rclone/copy.bin");
            assertThat(command.run(rclone, "lsf", "-R", "store:rclone")).contains("copy.bin");
            command.run(rclone, "purge", "store:rclone");
        }
    }
}
