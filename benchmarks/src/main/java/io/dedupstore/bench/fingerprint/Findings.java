package io.dedupstore.bench.fingerprint;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tables for people while they are filled, and JSON at the end. */
final class Findings {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final ObjectNode root = MAPPER.createObjectNode();
    private final ObjectNode tables = root.putObject("tables");
    private final ArrayNode targets = root.putArray("targets");
    private final List<String> missed = new ArrayList<>();

    void setting(String name, String value) {
        root.put(name, value);
        System.out.println(name + ": " + value);
    }

    /** A table whose first column names the rows. */
    final class Table {
        private final List<String> columns;
        private final ArrayNode rows;
        private final int[] widths;

        private Table(String name, List<String> columns) {
            this.columns = columns;
            this.rows = tables.putArray(name);
            this.widths = columns.stream().mapToInt(c -> Math.max(8, c.length())).toArray();
            System.out.println("\n" + name);
            print(columns);
        }

        void row(String name, List<Double> values) {
            ObjectNode row = rows.addObject();
            row.put(columns.getFirst(), name);
            List<String> texts = new ArrayList<>(List.of(name));
            for (int i = 0; i < values.size(); i++) {
                row.put(columns.get(i + 1), values.get(i));
                texts.add(String.format(Locale.ROOT, "%.2f", values.get(i)));
            }
            print(texts);
        }

        private void print(List<String> cells) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells.size(); i++) {
                line.append(String.format(Locale.ROOT, "%" + widths[i] + "s  ", cells.get(i)));
            }
            System.out.println(line.toString().stripTrailing());
        }
    }

    Table table(String name, List<String> columns) {
        return new Table(name, columns);
    }

    void atLeast(String name, double value, double target) {
        judge(name, value, target, value >= target, "at least");
    }

    void atMost(String name, double value, double target) {
        judge(name, value, target, value <= target, "at most");
    }

    private void judge(String name, double value, double target, boolean met, String relation) {
        targets.addObject()
                .put("name", name)
                .put("value", value)
                .put("target", target)
                .put("met", met);
        System.out.printf(
                Locale.ROOT,
                "  %-66s %7.2f (%s %.2f: %s)%n",
                name,
                value,
                relation,
                target,
                met ? "met" : "MISSED");
        if (!met) {
            missed.add(name);
        }
    }

    void write(Path file) throws IOException {
        System.out.println(
                missed.isEmpty()
                        ? "\nall targets met"
                        : "\ntargets missed: " + String.join("; ", missed));
        MAPPER.writeValue(file.toFile(), root);
        System.out.println("written to " + file);
    }
}
