package io.dedupstore.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DedupCliTest {
    private static final String USAGE =
            """
            {"objects":1,"uploads":0,"logicalBytes":107374182400,"inlineBytes":0,
             "referencedChunkBytes":107374182400,"chunks":819200,"distinctChunkBytes":131072,
             "dedupRatio":819200.00,"fieldOfANewerRelease":1}
            """;
    private static final String STATS =
            """
            {"total":%s,"distinctChunks":1,
             "storage":{"containers":3,"openContainers":1,"containerBytes":1536,"liveBytes":1000,
                        "metadataBytes":2048,"indexBytes":4096,"freeBytes":1},
             "buckets":[{"name":"zeros","chunking":"fixed:128k","compression":"off",
                         "createdAt":"2026-01-01T00:00:00Z","usage":%s}]}
            """
                    .formatted(USAGE, USAGE);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer().answer("GET /v1/stats", STATS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void statsShowTheRatioOfAHundredGibibytesOfZeros() {
        assertThat(ask("stats")).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "BUCKET CHUNKING OBJECTS LOGICAL STORED SAVINGS CHUNKS RATIO",
                        "zeros fixed:128k 1 100.00 GiB 128.00 KiB 100.00 % 819200 819200.00x",
                        "total 1 100.00 GiB 1.50 KiB 100.00 % 819200 819200.00x",
                        "containers 1536 1.50 KiB",
                        "metadata 2048 2.00 KiB",
                        "3 containers (1 open), 1 chunks in the index, 0 unfinished uploads");
    }

    @Test
    void aBucketWithNothingNewHasNoRatio() {
        server.answer(
                "GET /v1/stats",
                STATS.replace("\"distinctChunkBytes\":131072", "\"distinctChunkBytes\":0"));
        assertThat(ask("stats", "--bucket", "zeros")).isZero();
        assertThat(out.toString().replaceAll(" +", " ")).contains("819200 -\n");
    }

    @Test
    void statsOfOneBucketLeaveTheTotalOut() {
        assertThat(ask("stats", "--bucket", "zeros")).isZero();
        assertThat(out.toString()).contains("zeros").doesNotContain("total");
        assertThat(ask("stats", "--bucket", "ones")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no bucket ones");
    }

    @Test
    void jsonHasPlainIntegers() {
        assertThat(ask("stats", "--json")).isZero();
        assertThat(out.toString())
                .contains("\"logicalBytes\" : 107374182400")
                .contains("\"dedupRatio\" : 819200.00");
    }

    @Test
    void aBucketIsMadeWithWhatWasSaid() {
        server.answer(
                "POST /v1/buckets",
                """
                {"name":"a","chunking":"fixed:128k","compression":"lz4","createdAt":"x","usage":%s}
                """
                        .formatted(USAGE));
        assertThat(ask("bucket", "create", "a", "--chunking", "fixed:128k")).isZero();
        assertThat(out.toString()).contains("made a: chunking fixed:128k, compression lz4");
        assertThat(server.requests.getFirst().replaceAll("\\s", ""))
                .isEqualTo("POST/v1/buckets{\"name\":\"a\",\"chunking\":\"fixed:128k\"}");
    }

    @Test
    void theDataDirectoryTellsEndpointAndToken(@TempDir Path data) throws IOException {
        Files.writeString(
                data.resolve("root-credentials.json"),
                """
                {"accessKey":"a","secretKey":"s","adminToken":"%s","s3Endpoint":"http://x",
                 "adminEndpoint":"%s"}
                """
                        .formatted(FakeServer.TOKEN, server.endpoint()));
        assertThat(run("admin", "stats", "--data", data.toString())).isZero();
        assertThat(out.toString()).contains("819200.00x");
    }

    @Test
    void aDirectoryWithoutAServerIsNamed(@TempDir Path data) {
        assertThat(run("admin", "stats", "--data", data.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("no server was ever started on this directory");
    }

    @Test
    void aRefusalIsPrintedAsTheServerSaidIt() {
        assertThat(run("admin", "stats", "--endpoint", url(), "--token", "no")).isEqualTo(1);
        assertThat(err.toString()).isEqualToIgnoringNewLines("dedup: wrong token");
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        String url = url();
        server.close();
        assertThat(run("admin", "stats", "--endpoint", url, "--token", "t")).isEqualTo(1);
        assertThat(err.toString()).contains("no server answers at " + url);
    }

    @Test
    void anAnswerOfSomethingElseIsNotTakenForTheAdminApi() {
        server.answer("GET /v1/hash", "<html>");
        assertThat(ask("hash")).isEqualTo(1);
        assertThat(err.toString()).contains("is it the admin port?");
    }

    @Test
    void everyVerbHasHelpAndAnUnknownOneIsNotUnderstood() {
        assertThat(run("admin", "--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "stats",
                        "status",
                        "hash",
                        "buckets",
                        "bucket",
                        "sessions",
                        "compact",
                        "index");
        assertThat(run("admin", "index", "histogram", "--help")).isZero();
        assertThat(run("admin", "stat")).isEqualTo(2);
        assertThat(err.toString()).contains("Did you mean");
        assertThat(run("admin", "bucket")).isEqualTo(2);
    }

    private int ask(String... verb) {
        List<String> arguments = new ArrayList<>(List.of("admin"));
        arguments.addAll(List.of(verb));
        arguments.addAll(List.of("--endpoint", url(), "--token", FakeServer.TOKEN));
        return run(arguments.toArray(String[]::new));
    }

    private int run(String... arguments) {
        return DedupCli.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private String url() {
        return server.endpoint().toString();
    }
}
