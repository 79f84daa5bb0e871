package io.dedupstore.core.model;

/** Names a container for ever; allocated by the control group, never reused. Positive. */
public record ContainerId(long value) implements Comparable<ContainerId> {
    public ContainerId {
        if (value <= 0) {
            throw new IllegalArgumentException("container id must be positive: " + value);
        }
    }

    @Override
    public int compareTo(ContainerId o) {
        return Long.compare(value, o.value);
    }

    @Override
    public String toString() {
        return "%016x".formatted(value);
    }
}
