package io.dedupstore.bench.workload;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** {@code ./dedup bench workload}: makes a workload and tells what it is. */
public final class WorkloadCommand {
    private static final String USAGE =
            """
            Usage: ./dedup bench workload [--NAME VALUE]... [--json]

            Makes a workload and prints what it reached beside what was asked. Sizes take k, m or g.

              --seed N            1
              --distribution D    kernels; or unique, highperf, personal, archival, ubuntu
              --objects N         8192
              --object-bytes S    1m
              --record-bytes S    8k       unit of duplication
              --ratio R           2        compression, 1 to 10
              --mean-run R        8        records in a row that are duplicates of as many in a row
              --recent F          0.6      share of repeated runs that stay in one stretch
              --stretch N         4096     its length in records
              --versions N        0        versions of the first object to make and compare
              --object-share F    1        share of objects that a version changes
              --edits N           8        edits of an object in a version
              --edit-bytes S      4k       mean length of an edit
              --insert F          0.4      share of edits that insert
              --delete F          0.4      share of edits that delete; the rest overwrites
              --shift S           0        new bytes before everything else in each version
              --timed-bytes S     4g       how much to generate for each rate; 0 leaves rates out
              --json              for programs
            """;

    private final Map<String, String> arguments = new TreeMap<>();
    private final boolean json;

    private WorkloadCommand(String[] args) {
        boolean machine = false;
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--json")) {
                machine = true;
            } else if (!args[i].startsWith("--") || i + 1 == args.length) {
                throw new IllegalArgumentException("'" + args[i] + "' is not --NAME VALUE");
            } else {
                arguments.put(args[i].substring(2), args[++i]);
            }
        }
        this.json = machine;
    }

    public static void main(String[] args) {
        int status = run(args, System.out, System.err);
        System.out.flush();
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Exit status: 0, or 2 for arguments that can't be used. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length > 0 && (args[0].equals("-h") || args[0].equals("--help"))) {
            out.print(USAGE);
            return 0;
        }
        try {
            out.print(new WorkloadCommand(args).run());
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("dedup bench workload: " + e.getMessage() + "; see --help");
            return 2;
        }
    }

    private String run() {
        WorkloadSpec spec = spec();
        long timedBytes = size("timed-bytes", "4g");
        int versions = count("versions", "0");
        if (versions > Workload.MAX_VERSION) {
            throw new IllegalArgumentException("at most " + Workload.MAX_VERSION + " versions");
        }
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown: --" + arguments.keySet().iterator().next());
        }
        if (spec.records() > ReachedDuplicates.MAX_RECORDS) {
            throw new IllegalArgumentException(
                    "the report counts at most " + ReachedDuplicates.MAX_RECORDS + " records");
        }
        WorkloadReport report = WorkloadReport.measure(spec, timedBytes, versions);
        return json ? ReportJson.of(report) + "\n" : ReportTable.of(report);
    }

    private WorkloadSpec spec() {
        int recordBytes = count("record-bytes", "8k");
        Locality locality =
                new Locality(
                        fraction("mean-run", 8), fraction("recent", 0.6), count("stretch", "4096"));
        Edits edits =
                new Edits(
                        fraction("object-share", 1),
                        count("edits", "8"),
                        count("edit-bytes", "4k"),
                        fraction("insert", 0.4),
                        fraction("delete", 0.4),
                        count("shift", "0"));
        return WorkloadSpec.unique(size("seed", "1"), recordBytes, 1)
                .withObjects(size("objects", "8192"), size("object-bytes", "1m"))
                .withDuplicates(
                        DuplicateDistribution.parse(text("distribution", "kernels")), locality)
                .withCompressionRatio(fraction("ratio", 2))
                .withEdits(edits);
    }

    private String text(String name, String byDefault) {
        String value = arguments.remove(name);
        return value == null ? byDefault : value;
    }

    private double fraction(String name, double byDefault) {
        String value = arguments.remove(name);
        try {
            return value == null ? byDefault : Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + " is not a number: " + value, e);
        }
    }

    private long size(String name, String byDefault) {
        String value = text(name, byDefault).toLowerCase(Locale.ROOT);
        int unit = "kmg".indexOf(value.isEmpty() ? 'x' : value.charAt(value.length() - 1)) + 1;
        String digits = unit > 0 ? value.substring(0, value.length() - 1) : value;
        try {
            long size = Math.multiplyExact(Long.parseLong(digits), 1L << (10 * unit));
            if (size < 0 && !name.equals("seed")) {
                throw new IllegalArgumentException("--" + name + " is negative: " + value);
            }
            return size;
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("--" + name + " is not a size: " + value, e);
        }
    }

    private int count(String name, String byDefault) {
        long value = size(name, byDefault);
        if (value != (int) value) {
            throw new IllegalArgumentException("--" + name + " is too large: " + value);
        }
        return (int) value;
    }
}
