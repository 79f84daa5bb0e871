package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.server.http.RequestHeaders;
import io.dedupstore.server.s3.BucketConfiguration;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3RequestParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The page that says of each operation of the S3 API what becomes of it here. What it says comes
 * from the router and from what the gateway answers, the names of the tests are held against the
 * test classes.
 */
class S3CompatibilityTest {
    private static final Path PAGE = Path.of("../docs/s3-compatibility.md");
    private static final int OPERATIONS = 116;
    private static final List<String> PACKAGES =
            List.of(
                    "io.dedupstore.server.s3.operation.",
                    "io.dedupstore.server.s3.lifecycle.",
                    "io.dedupstore.server.s3.",
                    "io.dedupstore.server.auth.",
                    "io.dedupstore.server.policy.");

    private final TestGateway gateway = new TestGateway();

    /** How much of an operation there is. */
    private enum Support {
        SUPPORTED,
        PARTIAL,
        UNSET,
        REFUSED
    }

    private record Row(String name, String request, String note, String proof) {
        String method() {
            return request.split(" ")[0];
        }

        String target() {
            return request.split(" ")[1];
        }

        List<Map.Entry<String, String>> headers() {
            return Arrays.stream(request.split(" "))
                    .skip(2)
                    .map(header -> header.split(":", 2))
                    .map(pair -> Map.entry(pair[0], pair[1]))
                    .toList();
        }
    }

    @BeforeEach
    void makeBucket() {
        gateway.put("/bucket", "");
        gateway.put("/bucket/key", "content");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static List<Row> rows() throws IOException {
        try (InputStream in = S3CompatibilityTest.class.getResourceAsStream("/s3-operations.txt")) {
            String text =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(line -> line.split("\\|", -1))
                    .map(f -> new Row(f[0].strip(), f[1].strip(), f[2].strip(), f[3].strip()))
                    .toList();
        }
    }

    private Support support(Row row) {
        S3Operation operation;
        try {
            List<Map.Entry<String, String>> headers = new ArrayList<>(row.headers());
            headers.add(Map.entry("host", "localhost"));
            operation =
                    new S3RequestParser(List.of())
                            .parse(row.method(), row.target(), RequestHeaders.of(headers))
                            .operation();
        } catch (S3Exception e) {
            return Support.REFUSED;
        }
        return switch (operation) {
            case S3Operation.UnsupportedOnBucket o -> Support.REFUSED;
            case S3Operation.UnsupportedOnObject o -> Support.REFUSED;
            case S3Operation.PostObject o -> Support.REFUSED;
            case S3Operation.GetBucketConfiguration o -> ofConfiguration(row, o.configuration());
            case S3Operation.DeleteBucketConfiguration o -> ofConfiguration(row, o.configuration());
            default -> row.note().contains("Partial: ") ? Support.PARTIAL : Support.SUPPORTED;
        };
    }

    /** What can't be set can only be read, and deleted, as what was never set. */
    private static Support ofConfiguration(Row row, BucketConfiguration configuration) {
        boolean derived =
                configuration == BucketConfiguration.POLICY_STATUS
                        && BucketConfiguration.POLICY.settable();
        boolean whole = derived || configuration.settable();
        return whole || row.name().endsWith("Acl") ? Support.SUPPORTED : Support.UNSET;
    }

    private String answer(Row row) {
        Call call = new Call(row.method(), row.target());
        row.headers().forEach(header -> call.header(header.getKey(), header.getValue()));
        if (!row.method().equals("GET") && !row.method().equals("HEAD")) {
            call.body("");
        }
        Answer answer = gateway.send(call);
        return (answer.status() + " " + answer.element("Code")).strip();
    }

    private String page() throws IOException {
        Map<Support, Integer> counts = new TreeMap<>();
        StringBuilder table = new StringBuilder();
        for (Row row : rows()) {
            Support support = support(row);
            counts.merge(support, 1, Integer::sum);
            String proof = row.proof().isEmpty() ? "S3CompatibilityTest" : row.proof();
            String how =
                    switch (support) {
                        case SUPPORTED -> "supported";
                        case PARTIAL -> "partial";
                        case UNSET ->
                                row.method().equals("GET")
                                        ? "as never set: `" + answer(row) + "`"
                                        : "nothing to delete: `" + answer(row) + "`";
                        case REFUSED -> {
                            proof = "S3CompatibilityTest";
                            yield "refused: `" + answer(row) + "`";
                        }
                    };
            table.append(
                    "| %s | %s | %s | %s |\n"
                            .formatted(
                                    row.name(), how, row.note().replace("Partial: ", ""), proof));
        }
        return """
        # Operations of the S3 API

        This page is written from the router and from what the gateway answers; `S3CompatibilityTest` keeps it in step
        (`mvn -pl dedup-server -am test -Dtest=S3CompatibilityTest -Dcompatibility.write=true` writes it anew). The model
        is that of the AWS SDKs of August 2026. Decisions within operations are in [s3-api.md](s3-api.md).

        Of %d operations %d are supported, %d partially; %d are about configurations that can't be set, and are answered
        as S3 answers where none was set; %d are refused.

        | operation | here | particulars | test |
        |---|---|---|---|
        """
                        .formatted(
                                rows().size(),
                                counts.getOrDefault(Support.SUPPORTED, 0),
                                counts.getOrDefault(Support.PARTIAL, 0),
                                counts.getOrDefault(Support.UNSET, 0),
                                counts.getOrDefault(Support.REFUSED, 0))
                + table;
    }

    @Test
    void thePageSaysWhatTheServerDoes() throws IOException {
        String page = page();
        if (Boolean.getBoolean("compatibility.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    @Test
    void everyOperationOfTheModelIsThereOnce() throws IOException {
        assertThat(rows()).hasSize(OPERATIONS);
        assertThat(rows().stream().map(Row::name)).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void whatIsSupportedIsProvedByATestThatExists() throws IOException {
        for (Row row : rows()) {
            if (support(row) != Support.REFUSED) {
                boolean proved =
                        row.proof().isEmpty()
                                ? support(row) == Support.UNSET
                                : PACKAGES.stream().anyMatch(p -> exists(p, row.proof()));
                assertThat(proved).as("%s by %s", row.name(), row.proof()).isTrue();
            }
        }
    }

    private static boolean exists(String inPackage, String proof) {
        String[] names = proof.split("\\.");
        try {
            Class<?> test = Class.forName(inPackage + names[0]);
            return names.length == 1
                    || Arrays.stream(test.getDeclaredMethods())
                            .anyMatch(method -> method.getName().equals(names[1]));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Test
    void whatIsRefusedIsNeverAnsweredWithSomethingElse() throws IOException {
        for (Row row : rows()) {
            if (support(row) == Support.REFUSED) {
                assertThat(answer(row))
                        .as(row.name())
                        .isIn("501 NotImplemented", "404 NoSuchBucket");
            }
        }
    }
}
