package io.dedupstore.bench.parity;

import io.dedupstore.bench.Flags;
import io.dedupstore.bench.Results;
import io.dedupstore.bench.Sample;
import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.core.parity.Parity;
import io.dedupstore.core.parity.ParityScheme;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code dedup bench parity}: encoding, rebuilding and updating by ISA-L and by the Java twin, in
 * turns, so that what else the machine does meets both. Ends with 1 where ISA-L is not in use, or
 * where the two do not agree.
 */
public final class ParityBench {
    private static final String USAGE =
            """
            Usage: dedup bench parity [OPTIONS]

              --fragment KIB  length of a fragment (default 64)
              --rounds N      rounds of each driver (default 15)
              --millis N      of one round, at least (default 20)
              --json FILE     where the figures go (default parity-bench.json)
            """;
    private static final List<String> SCHEMES = List.of("4+2", "8+1", "8+2", "8+3", "10+4");
    private static final int NANOS_PER_MILLI = 1_000_000;

    private final Flags flags;
    private final Results results = new Results(System.out);

    private ParityBench(Flags flags) {
        this.flags = flags;
    }

    public static void main(String[] arguments) throws IOException {
        Flags flags =
                Flags.parse(
                        arguments, USAGE, List.of("--fragment", "--rounds", "--millis", "--json"));
        new ParityBench(flags).run();
    }

    private void run() throws IOException {
        String driver = Parity.drivers().getFirst();
        if (!driver.startsWith("isal")) {
            System.err.println(
                    "ISA-L is not in use: "
                            + NativeLibrary.problem()
                                    .orElse("not installed here, or not where this was built"));
            System.exit(1);
        }
        int fragmentBytes = flags.number("--fragment", 1 << 16, 64) << 10;
        int rounds = flags.number("--rounds", 1000, 15);
        long nanos = (long) flags.number("--millis", 10_000, 20) * NANOS_PER_MILLI;
        results.setting("driver", driver);
        results.setting("fragment", (fragmentBytes >> 10) + " KiB");
        results.setting("rounds", Integer.toString(rounds));
        Results.Rows table =
                results.table(
                        "GB/s of data (update: of the changed fragment)",
                        "scheme",
                        "what",
                        "isal best",
                        "isal avg",
                        "isal dev %",
                        "java best",
                        "java avg",
                        "java dev %",
                        "isal/java");
        for (String scheme : SCHEMES) {
            ParityWork isal =
                    new ParityWork(Parity.of(ParityScheme.parse(scheme), driver), fragmentBytes);
            ParityWork java =
                    new ParityWork(Parity.of(ParityScheme.parse(scheme), "java"), fragmentBytes);
            for (ParityWork.Step step : ParityWork.Step.values()) {
                compare(scheme, step, isal, java, rounds, nanos, table);
            }
        }
        results.write(Path.of(flags.text("--json").orElse("parity-bench.json")));
    }

    private static void compare(
            String scheme,
            ParityWork.Step step,
            ParityWork isal,
            ParityWork java,
            int rounds,
            long nanos,
            Results.Rows table) {
        Sample fast = new Sample();
        Sample twin = new Sample();
        isal.rate(step, 10 * nanos);
        java.rate(step, 10 * nanos);
        for (int round = 0; round < rounds; round++) {
            fast.add(isal.rate(step, nanos));
            twin.add(java.rate(step, nanos));
        }
        if (!isal.result(step).equals(java.result(step))) {
            System.err.printf("%s of %s: ISA-L and the Java twin differ%n", step.name(), scheme);
            System.exit(1);
        }
        table.row(
                scheme,
                step.title(),
                fast.max(),
                fast.average(),
                fast.deviationPercent(),
                twin.max(),
                twin.average(),
                twin.deviationPercent(),
                fast.max() / twin.max());
    }
}
