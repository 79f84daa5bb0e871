package io.dedupstore.bench.index;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was found, as tables for people while it is found, and as JSON at the end. */
final class Report {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int WIDTH = 13;

    private final PrintStream out;
    private final ObjectNode root = MAPPER.createObjectNode();
    private final ArrayNode figures = root.putArray("figures");
    private final ObjectNode tables = root.putObject("tables");
    private final List<String> missed = new ArrayList<>();

    Report(PrintStream out) {
        this.out = out;
    }

    void setting(String name, String value) {
        root.put(name, value);
        out.println(name + ": " + value);
    }

    void note(String text) {
        out.println(text);
    }

    /** A table that is filled row by row. */
    final class Rows {
        private final List<String> columns;
        private final ArrayNode rows;

        private Rows(String name, List<String> columns) {
            this.columns = columns;
            this.rows = tables.putArray(name);
            out.println();
            out.println(name);
            columns.forEach(column -> out.printf("%" + WIDTH + "s", column));
            out.println();
        }

        /** Whole numbers, decimal ones, or words. */
        void row(Object... values) {
            if (values.length != columns.size()) {
                throw new IllegalArgumentException(values.length + " values for " + columns);
            }
            ObjectNode row = rows.addObject();
            for (int i = 0; i < values.length; i++) {
                row.putPOJO(columns.get(i), values[i]);
                out.printf("%" + WIDTH + "s", text(values[i]));
            }
            out.println();
            out.flush();
        }
    }

    Rows table(String name, String... columns) {
        return new Rows(name, List.of(columns));
    }

    private static String text(Object value) {
        return switch (value) {
            case Long whole -> String.format(Locale.ROOT, "%,d", whole);
            case Integer whole -> String.format(Locale.ROOT, "%,d", whole);
            case Double decimal -> decimal(decimal);
            default -> value.toString();
        };
    }

    private static String decimal(double value) {
        double size = Math.abs(value);
        String format =
                size >= 1000 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }

    /** A result without a target. */
    void figure(String name, double value, String unit) {
        figures.addObject().put("name", name).put("value", value).put("unit", unit);
        out.printf("  %-62s %s %s%n", name, decimal(value), unit);
    }

    /** A result that is to be at most {@code target}. */
    void atMost(String name, double value, String unit, double target) {
        judge(name, value, unit, target, value <= target, "at most");
    }

    /** A result that is to be at least {@code target}. */
    void atLeast(String name, double value, String unit, double target) {
        judge(name, value, unit, target, value >= target, "at least");
    }

    private void judge(
            String name, double value, String unit, double target, boolean met, String relation) {
        figures.addObject()
                .put("name", name)
                .put("value", value)
                .put("unit", unit)
                .put("target", target)
                .put("met", met);
        out.printf(
                "  %-62s %s %s (%s %s: %s)%n",
                name, decimal(value), unit, relation, decimal(target), met ? "met" : "MISSED");
        if (!met) {
            missed.add(name);
        }
    }

    List<String> missed() {
        return List.copyOf(missed);
    }

    void write(Path file) throws IOException {
        MAPPER.writeValue(file.toFile(), root);
        out.println();
        out.println("written to " + file);
    }
}
