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

    private static String job(String state, String phase, String more) {
        return """
               {"id":7,"kind":"index-prune","startedBy":"admin","state":"%s","phase":"%s",
                "unit":"entries","done":5,"total":10,"perSecond":2.5,"etaSeconds":2,"errors":[],
                "errorCount":0,"startedAt":"2026-01-01T00:00:00Z"%s}
               """
                .formatted(state, phase, more);
    }

    private static final String PRUNED =
            ",\"result\":{\"dryRun\":false,\"scanned\":100,\"planned\":10,"
                    + "\"untouchedSince\":\"2026-01-01T00:00:00Z\",\"pruned\":9,\"bytes\":1024}";

    @Test
    void aLongVerbWaitsAndPrintsWhatCameOfIt() {
        server.answer(
                "POST /v1/index/prune?percent=10&dryRun=false",
                job("running", "counting ages", ""));
        server.answer("GET /v1/jobs/7", job("done", "removing", PRUNED));
        assertThat(ask("index", "prune", "--percent", "10")).isZero();
        assertThat(err.toString()).contains("job 7: counting ages");
        assertThat(out.toString()).contains("pruned 9 of 100 entries (10 were to go)");
    }

    @Test
    void aLongVerbReturnsAtOnceWhenDetached() {
        server.answer(
                "POST /v1/index/prune?olderThan=30d&dryRun=true", job("running", "starting", ""));
        assertThat(ask("index", "prune", "--older-than", "30d", "--dry-run", "--detach")).isZero();
        assertThat(out.toString()).contains("job 7 (index-prune) was begun");
    }

    @Test
    void drainSaysWhatAStartNeedNotReplay() {
        server.answer("POST /v1/index/drain", job("running", "flushing stores", ""));
        server.answer(
                "GET /v1/jobs/7",
                job(
                        "done",
                        "flushing stores",
                        ",\"result\":{\"groups\":[{\"name\":\"index\",\"entries\":12,\"operations\":3456,"
                                + "\"bytes\":2048,\"seconds\":0.5}],\"seconds\":0.6}"));
        assertThat(ask("index", "drain")).isZero();
        assertThat(out.toString()).contains("index       12").contains("2.00 KiB").contains("0.50");
    }

    @Test
    void aJobThatFailedFailsTheVerb() {
        server.answer("POST /v1/index/shrink", job("running", "compacting tables", ""));
        server.answer(
                "GET /v1/jobs/7",
                job("failed", "compacting tables", "")
                        .replace("\"errors\":[]", "\"errors\":[\"no room\"]"));
        assertThat(ask("index", "shrink")).isEqualTo(1);
        assertThat(err.toString()).contains("job 7 (index-prune) failed: no room");
    }

    @Test
    void scrubSaysHowFarItIsAndFailsWhileChunksAreDamaged() {
        String report =
                """
                {"state":"running","startedAt":"2026-01-01T00:00:00Z","containers":2,
                 "allContainers":5,"records":10,"bytes":1024,"allBytes":4096,"damaged":%d,
                 "damagedNow":%d,"addresses":[%s],"bytesPerSecond":16777216}
                """;
        server.answer("POST /v1/scrub", report.formatted(0, 0, ""));
        assertThat(ask("scrub", "start")).isZero();
        assertThat(out.toString()).contains("running, 16.00 MiB a second").contains("2 of 5");
        server.answer("GET /v1/scrub", report.formatted(1, 2, "\"0000000000000001:7\""));
        assertThat(ask("scrub", "status")).isEqualTo(1);
        assertThat(out.toString()).contains("0000000000000001:7").contains("and others");
        assertThat(ask("scrub")).isEqualTo(2);
    }

    @Test
    void pruneNeedsExactlyOneChoice() {
        assertThat(ask("index", "prune")).isEqualTo(2);
        assertThat(ask("index", "prune", "--percent", "1", "--entries", "2")).isEqualTo(2);
    }

    @Test
    void jobsAreListedShownAndCancelled() {
        server.answer("GET /v1/jobs", "{\"jobs\":[" + job("running", "removing", "") + "]}");
        assertThat(ask("jobs", "list")).isZero();
        assertThat(out.toString()).contains("removing: 5 of 10 entries, 50 %, 3/s, 2s left");
        server.answer("GET /v1/jobs/7", job("done", "removing", PRUNED));
        assertThat(ask("jobs", "show", "7")).isZero();
        assertThat(ask("jobs", "wait", "7")).isZero();
        assertThat(out.toString()).contains("\"pruned\" : 9");
        server.answer("POST /v1/jobs/7/cancel", job("running", "removing", ""));
        assertThat(ask("jobs", "cancel", "7")).isZero();
    }

    @Test
    void theQuotaIsShownAndSet() {
        String quota =
                "{\"quota\":\"1000 entries\",\"entryLimit\":1000,\"entries\":5,\"over\":false}";
        server.answer("GET /v1/index/quota", quota);
        server.answer("PUT /v1/index/quota", quota);
        assertThat(ask("index", "quota")).isZero();
        assertThat(ask("index", "quota", "1000", "entries")).isZero();
        assertThat(server.requests.getLast().replaceAll("\\s", ""))
                .isEqualTo("PUT/v1/index/quota{\"quota\":\"1000entries\"}");
        assertThat(out.toString()).contains("quota: 1000 entries, at most 1000 entries");
    }

    @Test
    void hashingIsShownAndItsThreadsAreSet() {
        String hash =
                """
                {"driver":"avx512-x16","nativeLibrary":"loaded","setting":"auto","calibrated":true,
                 "primaries":2,
                 "algorithms":[{"name":"SHA-256","driver":"avx512-x16","use":"chunks","lanes":16,
                  "plan":[{"jobs":1,"driver":"avx512-x16","together":1,"bytesPerSecond":2000000000}]}],
                 "queues":[{"name":"SHA-256","waiting":1,"putOff":0,"jobs":7,"bytes":4096,"calls":3,
                  "busySeconds":0.5,"laneFill":0.25,"waitMeanSeconds":0.00001,
                  "waitMedianSeconds":0.00001,"waitP99Seconds":0.0001}]}
                """;
        server.answer("GET /v1/hash", hash);
        server.answer("PUT /v1/hash", hash);
        assertThat(ask("hash")).isZero();
        assertThat(out.toString()).contains("primary threads  2", "25 %", "2.00", "4.00 KiB");
        assertThat(ask("hash", "--primaries", "2", "--json")).isZero();
        assertThat(server.requests.getLast().replaceAll("\\s", ""))
                .isEqualTo("PUT/v1/hash{\"primaries\":2}");
        assertThat(out.toString()).contains("\"laneFill\" : 0.25");
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
