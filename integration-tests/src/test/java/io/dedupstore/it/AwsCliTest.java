package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AwsCliTest {
    @TempDir private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void copiesSyncsListsAndDeletes(String scheme) throws IOException {
        String aws = Clients.aws();
        String[] flags =
                scheme.equals("https") ? new String[] {"--tls-self-signed"} : new String[0];
        try (ServerProcess server = ServerProcess.start("aws-cli-" + scheme, flags)) {
            Command cli = cli(server);
            Path source = TestFiles.tree(temporary.resolve("source"));
            cli.run(aws, "s3", "mb", "s3://cli");
            cli.run(aws, "s3", "sync", source.toString(), "s3://cli/tree");
            assertThat(cli.run(aws, "s3", "ls", "--recursive", "--summarize", "s3://cli/"))
                    .contains("tree/folder/with space & ünïcode.txt", "Total Objects: 8");
            Path back = temporary.resolve("back");
            cli.run(aws, "s3", "sync", "s3://cli/tree", back.toString());
            assertThat(TestFiles.hashes(back)).isEqualTo(TestFiles.hashes(source));

            cli.run(aws, "s3", "cp", "s3://cli/tree/large.bin", "s3://cli/copy.bin");
            String attributes =
                    cli.run(
                            aws,
                            "s3api",
                            "get-object-attributes",
                            "--bucket",
                            "cli",
                            "--key",
                            "copy.bin",
                            "--object-attributes",
                            "ETag",
                            "ObjectSize",
                            "Checksum");
            assertThat(attributes).contains("\"ObjectSize\": " + (20 << 20));
            String url = cli.run(aws, "s3", "presign", "s3://cli/copy.bin").strip();
            assertThat(TestFiles.sha256(Tls.open(URI.create(url).toURL()).getInputStream()))
                    .isEqualTo(TestFiles.sha256(source.resolve("large.bin")));

            Files.delete(source.resolve("inline"));
            cli.run(aws, "s3", "sync", "--delete", source.toString(), "s3://cli/tree");
            assertThat(cli.run(aws, "s3", "ls", "s3://cli/tree/")).doesNotContain("inline");
            cli.run(aws, "s3", "rb", "--force", "s3://cli");
            assertThat(cli.run(aws, "s3", "ls")).isBlank();
        }
    }

    private Command cli(ServerProcess server) throws IOException {
        Credentials credentials = server.credentials();
        // Version 1 of the command line presigns with signature version 2 unless told otherwise.
        Path settings =
                Files.writeString(
                        temporary.resolve("config"),
                        "[default]\ns3 =\n  signature_version = s3v4\n");
        Command command =
                new Command(temporary)
                        .with("AWS_ACCESS_KEY_ID", credentials.accessKey())
                        .with("AWS_SECRET_ACCESS_KEY", credentials.secretKey())
                        .with("AWS_DEFAULT_REGION", "us-east-1")
                        .with("AWS_ENDPOINT_URL", credentials.s3Endpoint().toString())
                        .with("AWS_CONFIG_FILE", settings.toString())
                        .with("LC_ALL", "C.UTF-8")
                        .with("PYTHONUTF8", "1");
        if ("https".equals(credentials.s3Endpoint().getScheme())) {
            Path bundle =
                    Tls.writeCertificate(credentials.s3Endpoint(), temporary.resolve("server.pem"));
            command.with("AWS_CA_BUNDLE", bundle.toString());
        }
        return command;
    }
}
