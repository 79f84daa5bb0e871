package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S5cmdTest {
    @TempDir private Path temporary;

    @Test
    void copiesSyncsAndDeletesByWildcard() throws IOException {
        String s5cmd = Clients.s5cmd();
        try (ServerProcess server = ServerProcess.start("s5cmd")) {
            Credentials credentials = server.credentials();
            Path source = TestFiles.tree(temporary.resolve("source"));
            run(s5cmd, credentials, "mb", "s3://s5cmd");
            run(s5cmd, credentials, "cp", "--part-size", "5", source + "/", "s3://s5cmd/tree/");
            assertThat(run(s5cmd, credentials, "ls", "s3://s5cmd/tree/*"))
                    .contains("folder/deeper/one.bin", "large.bin");
            Path back = temporary.resolve("back");
            run(s5cmd, credentials, "cp", "s3://s5cmd/tree/*", back + "/");
            assertThat(TestFiles.hashes(back)).isEqualTo(TestFiles.hashes(source));

            TestFiles.write(source.resolve("added"), 88, 9_000);
            run(s5cmd, credentials, "sync", "--delete", source + "/", "s3://s5cmd/tree/");
            run(s5cmd, credentials, "cp", "s3://s5cmd/tree/added", "s3://s5cmd/copy");
            assertThat(run(s5cmd, credentials, "du", "s3://s5cmd/copy")).contains("9000 bytes");
            run(s5cmd, credentials, "rm", "s3://s5cmd/*");
            run(s5cmd, credentials, "rb", "s3://s5cmd");
        }
    }

    private String run(String s5cmd, Credentials credentials, String... arguments)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(s5cmd, "--endpoint-url", credentials.s3Endpoint().toString()));
        command.addAll(List.of(arguments));
        return new Command(temporary)
                .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                .with("AWS_REGION", "us-east-1")
                .run(command.toArray(String[]::new));
    }
}
