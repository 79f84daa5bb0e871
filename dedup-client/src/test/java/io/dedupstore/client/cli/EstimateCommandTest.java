package io.dedupstore.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dedupstore.client.estimate.Progress;
import io.dedupstore.client.s3.FakeS3;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EstimateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private FakeS3 s3;

    @BeforeEach
    void start() throws IOException {
        s3 = new FakeS3();
    }

    @AfterEach
    void stop() {
        s3.close();
    }

    @Test
    void aBucketIsEstimatedByNameAndByUrlAndByPrefix() throws IOException {
        for (int i = 0; i < 8; i++) {
            s3.objects.put("day-" + i % 2 + "/object-" + i, random(i / 2, 1 << 20));
        }
        for (String source : List.of("photos", "s3://photos")) {
            JsonNode json = estimateJson(source, "--chunk", "cdc,fixed:64k");
            assertThat(json.path("logicalBytes").longValue()).isEqualTo(8L << 20);
            for (JsonNode chunking : json.path("chunkings")) {
                assertThat(chunking.path("exact").asBoolean()).isTrue();
                assertThat(chunking.path("uniqueBytes").path("value").longValue())
                        .isEqualTo(4L << 20);
                assertThat(chunking.path("dedupRatio").path("value").doubleValue()).isEqualTo(2.0);
            }
        }
        JsonNode part = estimateJson("s3://photos/day-1/", "--chunk", "fixed:64k");
        assertThat(part.path("items").longValue()).isEqualTo(4);
        assertThat(part.path("source").asText()).isEqualTo("s3://photos/day-1/");
    }

    @Test
    void aDirectoryIsEstimatedAsATable(@TempDir Path directory) throws IOException {
        Files.write(directory.resolve("one"), random(1, 200_000));
        Files.write(directory.resolve("two"), random(1, 200_000));
        assertThat(run(directory + "/")).isZero();
        assertThat(out.toString())
                .contains("2 objects, 390.63 KiB")
                .containsPattern("cdc:64k +2\\.00x +exact")
                .containsPattern("cdc:256k\\* +2\\.00x +exact")
                .containsPattern("fixed:1m +2\\.00x")
                .contains("* no bucket can be made with it");
    }

    @Test
    void whatIsTooLittleToTellAnythingIsRefused() {
        s3.objects.put("a", random(1, 100_000));
        assertThat(runS3("photos", "--max-bytes", "1k", "--chunk", "cdc")).isEqualTo(2);
        assertThat(err.toString()).contains("by chance nothing was chosen");
    }

    @Test
    void whatCanNotBeReadFailsTheVerbAndTheRestIsPrinted() {
        s3.objects.put("a", random(1, 100_000));
        s3.objects.put("b", random(2, 100_000));
        s3.unreadable.add("b");
        assertThat(runS3("photos", "--chunk", "cdc")).isEqualTo(1);
        assertThat(out.toString())
                .contains("1 could not be read and are left out; the first: access to photos/b")
                .containsPattern("cdc:64k +1\\.00x");
    }

    @Test
    void errorsAreClearAndHaveTheirCodes() {
        assertThat(runS3("nobody")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no bucket nobody at " + s3.endpoint());
        assertThat(run("photos", "--access-key", "A", "--secret-key", "B", "--endpoint", url()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("access to bucket photos").contains("is denied");
        assertThat(run("photos", "--anonymous", "--endpoint", "http://127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString()).contains("no server answers there");
        assertThat(run("./no-such-directory")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no such directory");
        assertThat(run("s3:///")).isEqualTo(1);
        assertThat(run("photos", "--chunk", "cdc:4k")).isEqualTo(2);
        assertThat(run("photos", "--sample", "120%", "--anonymous")).isEqualTo(2);
        assertThat(run("photos", "--sample", "much")).isEqualTo(2);
        assertThat(run("photos", "--max-bytes", "1x")).isEqualTo(2);
        assertThat(run("photos", "--max-bytes", "1g", "--sample", "10%")).isEqualTo(2);
    }

    @Test
    void sizesAndSharesAreReadAsPeopleWriteThem() {
        Sizes.Bytes bytes = new Sizes.Bytes();
        assertThat(bytes.convert("4096")).isEqualTo(4096);
        assertThat(bytes.convert("100GiB")).isEqualTo(100L << 30);
        assertThat(bytes.convert("5m")).isEqualTo(5L << 20);
        assertThat(new Sizes.Share().convert("10%")).isEqualTo(0.1);
        assertThat(new Sizes.Share().convert("0.25")).isEqualTo(0.25);
    }

    @Test
    void progressTellsWhatIsKnownOfTheRest() {
        assertThat(EstimateProgress.line(new Progress(10, 2048, false, 0, 1024, false), 1))
                .isEqualTo("10 objects of 2.00 KiB listed so far; read 1.00 KiB, 1.00 KiB/s");
        assertThat(EstimateProgress.line(new Progress(10, 2048, true, 2048, 1024, false), 1))
                .isEqualTo(
                        "10 objects of 2.00 KiB listed; read 1.00 KiB, 50 %, 1.00 KiB/s, 1s left");
        assertThat(EstimateProgress.line(new Progress(10, 2048, false, 0, 0, true), 1))
                .isEqualTo("10 objects of 2.00 KiB listed so far");
    }

    private JsonNode estimateJson(String source, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--json"));
        arguments.addAll(List.of(more));
        out.getBuffer().setLength(0);
        assertThat(runS3(source, arguments.toArray(String[]::new))).as(err.toString()).isZero();
        return new ObjectMapper().readTree(out.toString());
    }

    private int runS3(String source, String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(List.of("--endpoint", url(), "--region", "us-east-1"));
        arguments.addAll(List.of("--access-key", FakeS3.ACCESS_KEY));
        arguments.addAll(List.of("--secret-key", FakeS3.SECRET_KEY));
        return run(source, arguments.toArray(String[]::new));
    }

    private int run(String source, String... more) {
        List<String> arguments = new ArrayList<>(List.of("admin", "estimate", source));
        arguments.addAll(List.of(more));
        return DedupCli.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments.toArray(String[]::new));
    }

    private String url() {
        return s3.endpoint().toString();
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
