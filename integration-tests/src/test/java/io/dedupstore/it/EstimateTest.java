package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.UsageReport;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** {@code dedup admin estimate} of the built product against what the store itself counts. */
class EstimateTest {
    private static final String FIXED = "estimated-fixed";
    private static final String CDC = "estimated-cdc";
    private static final int MIB = 1 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static ServerProcess server;
    private static long logicalBytes;

    @BeforeAll
    static void fill() throws IOException {
        server = ServerProcess.start("estimate");
        try (S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket(FIXED, "fixed:64k", "zstd"));
            admin.createBucket(new NewBucket(CDC, "cdc:64k", "zstd"));
            for (String bucket : List.of(FIXED, CDC)) {
                logicalBytes = 0;
                byte[] base = TestFiles.bytes(1, 9 * MIB + 333);
                put(s3, bucket, "base", base);
                put(s3, bucket, "a folder/copy of + base", base);
                byte[] edited = base.clone();
                edited[5 * MIB] ^= 1;
                put(s3, bucket, "edited", edited);
                put(s3, bucket, "sparse", Arrays.copyOf(TestFiles.bytes(2, MIB), 4 * MIB));
                put(s3, bucket, "text", text(2 * MIB));
                put(s3, bucket, "small", TestFiles.bytes(3, 50_000));
                put(s3, bucket, "small too", TestFiles.bytes(3, 50_000));
                put(s3, bucket, "inline", TestFiles.bytes(4, 3_000));
                put(s3, bucket, "empty", new byte[0]);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Test
    void aFixedBucketIsEstimatedAsTheStoreCountsIt() throws IOException {
        JsonNode estimate = estimate(FIXED, "--chunk", "fixed:64k,cdc");
        JsonNode found = estimate.required("chunkings").get(0);
        UsageReport counted = usage(FIXED);
        assertThat(estimate.required("items").longValue()).isEqualTo(9);
        assertThat(estimate.required("logicalBytes").longValue())
                .isEqualTo(logicalBytes)
                .isEqualTo(counted.logicalBytes());
        assertThat(estimate.required("inlineBytes").longValue()).isEqualTo(counted.inlineBytes());
        assertThat(found.required("exact").booleanValue()).isTrue();
        assertThat(found.required("chunks").longValue()).isEqualTo(counted.chunks());
        assertThat(counted.dedupRatio()).isNotNull();
        assertThat(ratio(found)).isCloseTo(counted.dedupRatio().doubleValue(), within(0.0051));
        long parts =
                value(found, "uniqueBytes")
                        + value(found, "duplicateBytes")
                        + value(found, "zeroBytes");
        assertThat(parts + 3_000).isEqualTo(logicalBytes);
        assertThat(value(found, "zeroBytes")).isEqualTo(3L * MIB);
        assertThat(value(found, "compressedBytes"))
                .isBetween(10L * MIB, value(found, "uniqueBytes") - MIB);
    }

    @Test
    void aContentDefinedBucketIsEstimatedNearlyAsTheStoreCountsIt() throws IOException {
        JsonNode found = estimate(CDC, "--chunk", "cdc").required("chunkings").get(0);
        // The store cuts with a table of its own; so lengths differ, and savings hardly.
        assertThat(ratio(found)).isCloseTo(usage(CDC).dedupRatio().doubleValue(), within(0.08));
    }

    @Test
    void anUrlIsReadWithTheKeysOfTheEnvironment() throws IOException {
        Credentials keys = server.credentials();
        Command command =
                new Command(Path.of("."))
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("AWS_ACCESS_KEY_ID", keys.accessKey())
                        .with("AWS_SECRET_ACCESS_KEY", keys.secretKey())
                        .with("AWS_ENDPOINT_URL", keys.s3Endpoint().toString());
        String table =
                command.run(
                        dedup(), "admin", "estimate", "s3://" + FIXED + "/a folder/", "--quiet");
        assertThat(table)
                .contains("s3://" + FIXED + "/a folder/: 1 objects, 9.00 MiB")
                .containsPattern("cdc:8k +1\\.00x")
                .containsPattern("cdc:256k\\* +1\\.00x")
                .containsPattern("fixed:1m +1\\.00x");
    }

    @Test
    void aPartIsReadAndBoundsTheWhole() throws IOException {
        JsonNode estimate = estimate(FIXED, "--sample", "60%", "--chunk", "fixed:64k");
        JsonNode whole = estimate(FIXED, "--chunk", "fixed:64k").required("chunkings").get(0);
        JsonNode part = estimate.required("chunkings").get(0);
        assertThat(estimate.required("readBytes").longValue()).isBetween(1L, logicalBytes - 1);
        assertThat(estimate.required("logicalBytes").longValue()).isEqualTo(logicalBytes);
        assertThat(value(whole, "uniqueBytes"))
                .isBetween(
                        part.required("uniqueBytes").required("low").longValue(),
                        part.required("uniqueBytes").required("high").longValue());
    }

    @Test
    void aDirectoryGivesTheSameAsTheBucketItWouldBecome(@TempDir Path directory)
            throws IOException {
        byte[] base = TestFiles.bytes(1, 3 * MIB);
        try (S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket("mirror", "cdc:64k", "off"));
            for (String name : List.of("one", "two")) {
                Files.write(directory.resolve(name), base);
                s3.putObject(b -> b.bucket("mirror").key(name), RequestBody.fromBytes(base));
            }
        }
        String asDirectory =
                run(directory.toString(), "--json", "--quiet").requireSuccess().output();
        JsonNode local = new ObjectMapper().readTree(asDirectory).required("chunkings");
        assertThat(local).isEqualTo(estimate("mirror").required("chunkings"));
    }

    @Test
    void whenItIsToldToEndItPrintsWhatItKnows(@TempDir Path directory) throws Exception {
        Path output = directory.resolve("output");
        try (EndlessBucket bucket = new EndlessBucket()) {
            Process process = estimateOf(bucket, output);
            try {
                boolean reading =
                        Eventually.holds(DEADLINE, () -> bucket.read() >= 40 || !process.isAlive());
                assertThat(reading).isTrue();
                process.destroy();
                assertThat(process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(Files.readString(output))
                    .contains("NOT COMPLETE: interrupted")
                    .containsPattern("fixed:64k +[0-9]+\\.[0-9]+x +exact +256\\.00 KiB");
            assertThat(process.exitValue()).as("ended by SIGTERM").isEqualTo(143);
        }
    }

    private static Process estimateOf(EndlessBucket bucket, Path output) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(dedup(), "admin", "estimate", "endless", "--anonymous")
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.command().addAll(List.of("--chunk", "fixed:64k"));
        builder.command().addAll(List.of("--endpoint", bucket.endpoint().toString()));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    @Test
    void errorsSayWhatIsWrong() throws IOException {
        assertRefused("there is no bucket nobody", "nobody", "--data", data());
        URI endpoint = server.credentials().s3Endpoint();
        assertRefused(
                "is denied (InvalidAccessKeyId",
                FIXED,
                "--endpoint",
                endpoint.toString(),
                "--access-key",
                "WRONG",
                "--secret-key",
                "WRONG");
        assertRefused(
                "is denied (AccessDenied", FIXED, "--endpoint", endpoint.toString(), "--anonymous");
        assertRefused(
                "no server answers there",
                FIXED,
                "--endpoint",
                "http://127.0.0.1:1",
                "--anonymous");
        assertRefused(
                "is it the S3 endpoint?",
                FIXED,
                "--endpoint",
                server.credentials().adminEndpoint().toString(),
                "--anonymous");
        assertThat(run(FIXED, "--chunk", "cdc:3k").exit()).isEqualTo(2);
    }

    private static void assertRefused(String why, String... arguments) throws IOException {
        Command.Result result = run(arguments);
        assertThat(result.exit()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains(why);
    }

    private static JsonNode estimate(String bucket, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(bucket, "--data", data()));
        arguments.addAll(List.of("--json", "--quiet"));
        arguments.addAll(List.of(more));
        String output = run(arguments.toArray(String[]::new)).requireSuccess().output();
        return new ObjectMapper().readTree(output);
    }

    private static Command.Result run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(dedup(), "admin", "estimate"));
        command.addAll(List.of(arguments));
        return new Command(Path.of("."))
                .with("JAVA_HOME", System.getProperty("java.home"))
                .tryRun(command.toArray(String[]::new));
    }

    private static String dedup() {
        return ServerProcess.dist().resolve("bin/dedup").toString();
    }

    private static String data() {
        return server.data().toString();
    }

    private static UsageReport usage(String bucket) throws IOException {
        try (AdminClient admin = server.admin()) {
            return admin.stats().buckets().stream()
                    .filter(report -> report.name().equals(bucket))
                    .findFirst()
                    .orElseThrow()
                    .usage();
        }
    }

    private static double ratio(JsonNode chunking) {
        return chunking.required("dedupRatio").required("value").doubleValue();
    }

    private static long value(JsonNode chunking, String name) {
        return chunking.required(name).required("value").longValue();
    }

    private static void put(S3Client s3, String bucket, String key, byte[] content) {
        s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromBytes(content));
        logicalBytes += content.length;
    }

    private static byte[] text(int length) {
        Random random = new Random(9);
        StringBuilder text = new StringBuilder(length + 100);
        while (text.length() < length) {
            text.append("request ").append(random.nextInt(100_000)).append(" was answered\n");
        }
        return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
    }
}
