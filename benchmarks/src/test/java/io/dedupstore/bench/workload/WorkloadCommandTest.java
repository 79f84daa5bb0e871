package io.dedupstore.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return WorkloadCommand.run(args, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    @Test
    void argumentsDecideTheWorkload() {
        String line =
                "--seed 5 --distribution ubuntu --objects 3 --object-bytes 64k --record-bytes 1k"
                        + " --ratio 3 --mean-run 2 --recent 0.1 --stretch 300 --timed-bytes 0"
                        + " --versions 1 --edits 2 --edit-bytes 10 --insert 1 --delete 0"
                        + " --object-share 1 --shift 3 --json";
        assertThat(run(line.split(" "))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith(
                        "{\"seed\":5,\"record_bytes\":1024,\"object_bytes\":65536,\"objects\":3,"
                                + "\"distribution\":\"ubuntu\",\"throughput\":[],")
                .contains("\"mean_run_asked\":2.0", "\"recent_share_asked\":0.1")
                .contains("\"recent_records\":300", "\"compression_ratio_asked\":3.0");
        assertThat(err.size()).isZero();
    }

    @Test
    void helpNamesTheArguments() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("--distribution", "--shift");
    }

    @ParameterizedTest
    @CsvSource({
        "records 5, is not --NAME VALUE",
        "--seed, is not --NAME VALUE",
        "--sede 5, unknown: --sede",
        "--ratio 11, must be 1 to 10",
        "--ratio two, is not a number",
        "--object-bytes 5t, is not a size",
        "--object-bytes 9000000000g, is not a size",
        "--record-bytes 4g, is too large",
        "--distribution normal, must be one of",
        "--objects 1g, too many records",
        "--objects 1m, at most 67108864 records",
        "--versions 65537, at most 65536 versions",
        "--timed-bytes -1, negative",
        "--insert 0.9 --delete 0.2, between 0 and 1"
    })
    void unusableArgumentsAreExplained(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(message);
        assertThat(out.size()).isZero();
    }
}
