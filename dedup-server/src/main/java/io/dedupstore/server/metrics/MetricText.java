package io.dedupstore.server.metrics;

import java.math.BigDecimal;
import java.util.List;

/** Prometheus' text format, version 0.0.4. */
final class MetricText {
    private final StringBuilder out = new StringBuilder(8 << 10);

    void family(String name, String help, String type, List<Sample> samples) {
        out.append("# HELP ").append(name).append(' ').append(escapeHelp(help)).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        for (Sample sample : samples) {
            out.append(name).append(sample.suffix());
            labels(sample.labels());
            out.append(' ').append(number(sample.value())).append('\n');
        }
    }

    void comment(String text) {
        out.append("# ").append(escapeHelp(text)).append('\n');
    }

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : BigDecimal.valueOf(value).stripTrailingZeros().toString();
    }

    private void labels(List<Sample.Label> labels) {
        if (labels.isEmpty()) {
            return;
        }
        String separator = "{";
        for (Sample.Label label : labels) {
            out.append(separator).append(label.name()).append("=\"");
            out.append(escapeHelp(label.value()).replace("\"", "\\\"")).append('"');
            separator = ",";
        }
        out.append('}');
    }

    private static String escapeHelp(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
