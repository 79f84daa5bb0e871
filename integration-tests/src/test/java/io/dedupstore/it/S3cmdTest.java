package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3cmdTest {
    @TempDir private Path temporary;

    @Test
    void putsGetsSyncsAndDeletes() throws IOException {
        String s3cmd = Clients.s3cmd();
        try (ServerProcess server = ServerProcess.start("s3cmd")) {
            Path settings = writeSettings(server.credentials());
            Path source = TestFiles.tree(temporary.resolve("source"));
            run(s3cmd, settings, "mb", "s3://s3cmd");
            run(s3cmd, settings, "sync", source + "/", "s3://s3cmd/tree/");
            assertThat(run(s3cmd, settings, "ls", "--recursive", "s3://s3cmd/"))
                    .contains("tree/folder/deeper/one.bin");
            run(
                    s3cmd,
                    settings,
                    "put",
                    "--multipart-chunk-size-mb=5",
                    source.resolve("large.bin").toString(),
                    "s3://s3cmd/parts.bin");
            Path one = temporary.resolve("parts.bin");
            run(s3cmd, settings, "get", "s3://s3cmd/parts.bin", one.toString());
            assertThat(Files.mismatch(one, source.resolve("large.bin"))).isEqualTo(-1);

            Path back = Files.createDirectory(temporary.resolve("back"));
            run(s3cmd, settings, "sync", "s3://s3cmd/tree/", back + "/");
            assertThat(TestFiles.hashes(back)).isEqualTo(TestFiles.hashes(source));
            run(s3cmd, settings, "cp", "s3://s3cmd/parts.bin", "s3://s3cmd/copy.bin");
            assertThat(run(s3cmd, settings, "info", "s3://s3cmd/copy.bin"))
                    .contains("File size: " + (20 << 20));
            run(s3cmd, settings, "del", "--recursive", "--force", "s3://s3cmd/");
            run(s3cmd, settings, "rb", "s3://s3cmd");
        }
    }

    private Path writeSettings(Credentials credentials) throws IOException {
        URI endpoint = credentials.s3Endpoint();
        String host = endpoint.getHost() + ":" + endpoint.getPort();
        return Files.writeString(
                temporary.resolve("s3cfg"),
                """
                [default]
                access_key = %s
                secret_key = %s
                host_base = %s
                host_bucket = %s
                use_https = False
                signature_v2 = False
                """
                        .formatted(credentials.accessKey(), credentials.secretKey(), host, host));
    }

    private String run(String s3cmd, Path settings, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(s3cmd, "--config", settings.toString(), "--no-progress"));
        command.addAll(List.of(arguments));
        return new Command(temporary).with("LC_ALL", "C.UTF-8").run(command.toArray(String[]::new));
    }
}
