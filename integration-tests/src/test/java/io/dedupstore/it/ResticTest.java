package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResticTest {
    @TempDir private Path temporary;

    @Test
    void backsUpChecksRestoresAndForgets() throws IOException {
        String restic = Clients.restic();
        try (ServerProcess server = ServerProcess.start("restic")) {
            Credentials credentials = server.credentials();
            Command command =
                    new Command(temporary)
                            .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                            .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                            .with("AWS_DEFAULT_REGION", "us-east-1")
                            .with("RESTIC_PASSWORD", "for the test")
                            .with("RESTIC_CACHE_DIR", temporary.resolve("cache").toString())
                            .with(
                                    "RESTIC_REPOSITORY",
                                    "s3:" + credentials.s3Endpoint() + "/restic/repository");
            Path source = TestFiles.tree(temporary.resolve("source"));
            command.run(restic, "init");
            command.run(restic, "backup", source.toString());
            TestFiles.write(source.resolve("second"), 77, 3 << 20);
            command.run(restic, "backup", source.toString());
            command.run(restic, "check", "--read-data");

            Path back = temporary.resolve("back");
            command.run(restic, "restore", "latest", "--target", back.toString());
            Path restored = back.resolve(Path.of("/").relativize(source));
            assertThat(TestFiles.hashes(restored)).isEqualTo(TestFiles.hashes(source));

            command.run(restic, "forget", "--keep-last", "1", "--prune");
            command.run(restic, "check", "--read-data");
            assertThat(command.run(restic, "snapshots", "--compact")).contains("1 snapshots");
        }
    }
}
