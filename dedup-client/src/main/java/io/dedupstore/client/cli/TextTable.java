package io.dedupstore.client.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns as wide as their widest cell; the first to the left, numbers to the right. */
final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... header) {
        rows.add(List.of(header));
    }

    void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("row has " + cells.length + " cells");
        }
        rows.add(List.of(cells));
    }

    void print(PrintWriter out) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
