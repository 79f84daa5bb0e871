package io.dedupstore.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Tables for people, printed as they fill, and the same rows as JSON at the end. */
public final class Results {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int WIDTH = 12;

    private final PrintStream out;
    private final ObjectNode root = MAPPER.createObjectNode();
    private final ObjectNode tables = root.putObject("tables");

    public Results(PrintStream out) {
        this.out = out;
    }

    public void setting(String name, String value) {
        root.put(name, value);
        out.println(name + ": " + value);
    }

    /** Begins a table. */
    public Rows table(String name, String... columns) {
        return new Rows(name, List.of(columns));
    }

    public void write(Path file) throws IOException {
        MAPPER.writeValue(file.toFile(), root);
        out.println();
        out.println("written to " + file);
    }

    /** A table that is filled row by row. */
    public final class Rows {
        private final List<String> columns;
        private final ArrayNode rows;

        private Rows(String name, List<String> columns) {
            this.columns = columns;
            rows = tables.putArray(name);
            out.println();
            out.println(name);
            columns.forEach(column -> out.printf("%" + WIDTH + "s", column));
            out.println();
        }

        /**
         * @param values words and decimal numbers, one for each column
         */
        public void row(Object... values) {
            if (values.length != columns.size()) {
                throw new IllegalArgumentException(values.length + " values for " + columns);
            }
            ObjectNode row = rows.addObject();
            for (int i = 0; i < values.length; i++) {
                row.putPOJO(columns.get(i), values[i]);
                String text =
                        values[i] instanceof Double number
                                ? String.format(
                                        Locale.ROOT, number < 1000 ? "%.2f" : "%.0f", number)
                                : values[i].toString();
                out.printf("%" + WIDTH + "s", text);
            }
            out.println();
            out.flush();
        }
    }
}
