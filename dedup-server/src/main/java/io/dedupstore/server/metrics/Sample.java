package io.dedupstore.server.metrics;

import java.util.List;
import java.util.Objects;

/**
 * One line of the output.
 *
 * @param suffix behind the family's name, empty for none
 * @param labels in the order they are written
 */
public record Sample(String suffix, List<Label> labels, double value) {
    public Sample {
        labels = List.copyOf(labels);
    }

    /** A sample of a gauge. */
    public static Sample of(double value, Label... labels) {
        return new Sample("", List.of(labels), value);
    }

    /** A name and a value; the value may hold any character. */
    public record Label(String name, String value) {
        public Label {
            Objects.requireNonNull(value, "value");
            if (!name.matches("[a-zA-Z_][a-zA-Z0-9_]*")) {
                throw new IllegalArgumentException("not a label name: " + name);
            }
        }
    }
}
