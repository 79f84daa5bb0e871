package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NewBucket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

class StartTest {
    /** A gross bound: the machine may be busy. The figure itself is printed. */
    private static final Duration START_BOUND = Duration.ofSeconds(15);

    private static final int SIGTERM_EXIT = 143;

    @TempDir private Path temporary;

    @Test
    void aStoppedServerStartsAgainWithItsDataAndCredentials() throws IOException {
        try (ServerProcess server = ServerProcess.start("restart")) {
            Credentials before = server.credentials();
            byte[] content = TestFiles.bytes(1, 300_000);
            try (S3Client s3 = S3Clients.of(server)) {
                s3.createBucket(b -> b.bucket("kept"));
                s3.putObject(b -> b.bucket("kept").key("key"), RequestBody.fromBytes(content));
            }
            assertThat(server.stop()).isIn(0, SIGTERM_EXIT);
            server.restart();
            System.getLogger("start")
                    .log(System.Logger.Level.INFO, "warm start to ready: " + server.startTime());
            assertThat(server.startTime()).isLessThan(START_BOUND);
            assertThat(server.credentials().accessKey()).isEqualTo(before.accessKey());
            assertThat(server.credentials().adminToken()).isEqualTo(before.adminToken());
            try (S3Client s3 = S3Clients.of(server)) {
                assertThat(s3.getObjectAsBytes(b -> b.bucket("kept").key("key")).asByteArray())
                        .isEqualTo(content);
            }
        }
    }

    @Test
    void trainingMakesOneStartUpCache() throws IOException {
        Path folder = temporary.resolve("cache");
        Command command =
                new Command(temporary)
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("DEDUP_CACHE_DIR", folder.toString());
        String launcher = ServerProcess.dist().resolve("bin/dedup").toString();
        command.run(launcher, "train");
        command.run(launcher, "train");
        try (Stream<Path> made = Files.list(folder)) {
            assertThat(made).singleElement().asString().endsWith(".aot");
        }
    }

    @Test
    void theCredentialsAreForTheOwnerAlone() throws IOException {
        try (ServerProcess server = ServerProcess.start("rights")) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(
                                            server.data().resolve(Credentials.FILE))))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(server.log()))
                    .contains(server.credentials().accessKey())
                    .contains("aws");
        }
    }

    @Test
    void aSecondServerOnTheSameDirectoryIsRefused() throws IOException {
        try (ServerProcess server = ServerProcess.start("twice")) {
            String said = failedStart(server.data(), "--s3-port", "0", "--admin-port", "0");
            assertThat(said).contains(server.data().toString()).doesNotContain("\tat ");
            assertThat(
                            ServerProcess.status(
                                    server.credentials().adminEndpoint().resolve("/health/ready")))
                    .isEqualTo(200);
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress("127.0.0.1", 0));
            String port = Integer.toString(taken.getLocalPort());
            String said =
                    failedStart(temporary.resolve("data"), "--s3-port", port, "--admin-port", "0");
            assertThat(said).contains(port).doesNotContain("\tat ");
        }
    }

    @Test
    void aMisspeltFlagIsExplained() throws IOException {
        assertThat(failedStart(temporary.resolve("data"), "--s3-prt", "0"))
                .contains("Did you mean --s3-port?")
                .doesNotContain("\tat ");
    }

    @Test
    void adminVerbsAnswerThroughTheLauncher() throws IOException {
        try (ServerProcess server = ServerProcess.start("verbs");
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket("verbs", "fixed:64k", "zstd"));
            Command command =
                    new Command(temporary).with("JAVA_HOME", System.getProperty("java.home"));
            for (List<String> verb :
                    List.of(
                            List.of("stats"),
                            List.of("status"),
                            List.of("hash"),
                            List.of("buckets"),
                            List.of("sessions"),
                            List.of("compact"),
                            List.of("index", "status"),
                            List.of("index", "histogram"),
                            List.of("index", "quota"),
                            List.of("index", "prune", "--percent", "10", "--dry-run"),
                            List.of("index", "preload"),
                            List.of("index", "shrink"),
                            List.of("index", "drain"),
                            List.of("scrub", "start"),
                            List.of("scrub", "status"),
                            List.of("index", "verify"),
                            List.of("jobs", "list"),
                            List.of("metrics"))) {
                List<String> line = new ArrayList<>();
                line.add(ServerProcess.dist().resolve("bin/dedup").toString());
                line.add("admin");
                line.addAll(verb);
                line.addAll(List.of("--data", server.data().toString()));
                assertThat(command.run(line.toArray(String[]::new))).as("%s", verb).isNotBlank();
            }
            assertThat(admin.buckets().buckets())
                    .anySatisfy(
                            bucket -> {
                                assertThat(bucket.name()).isEqualTo("verbs");
                                assertThat(bucket.chunking()).isEqualTo("fixed:64k");
                                assertThat(bucket.compression()).isEqualTo("zstd");
                            });
        }
    }

    private String failedStart(Path data, String... flags) throws IOException {
        Path log = temporary.resolve("failed.log");
        Process process = ServerProcess.launch(data, log, List.of(flags));
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ended").isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isNotZero();
        return Files.readString(log);
    }
}
