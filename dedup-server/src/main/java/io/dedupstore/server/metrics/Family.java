package io.dedupstore.server.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Metrics of one name that differ in their label values. Any number of threads. */
public final class Family<M extends Metric> {
    /** Values come from outside; what is more is counted together under {@link #OVERFLOW}. */
    static final int MAX_LABEL_SETS = 1_000;

    static final String OVERFLOW = "other";

    private final List<String> labelNames;
    private final Supplier<M> maker;
    private final Map<List<String>, M> members = new ConcurrentHashMap<>();

    Family(List<String> labelNames, Supplier<M> maker) {
        this.labelNames = List.copyOf(labelNames);
        this.maker = maker;
    }

    /**
     * @param labelValues one for each label name, in their order
     */
    public M labels(String... labelValues) {
        List<String> values = List.of(labelValues);
        if (values.size() != labelNames.size()) {
            throw new IllegalArgumentException("labels are " + labelNames + ", not " + values);
        }
        M member = members.get(values);
        if (member != null) {
            return member;
        }
        boolean full = members.size() >= MAX_LABEL_SETS;
        return members.computeIfAbsent(
                full ? labelNames.stream().map(name -> OVERFLOW).toList() : values,
                key -> maker.get());
    }

    List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        members.forEach(
                (values, member) ->
                        member.samples().forEach(sample -> samples.add(labelled(values, sample))));
        return samples;
    }

    private Sample labelled(List<String> values, Sample sample) {
        List<Sample.Label> labels = new ArrayList<>(labelNames.size() + 1);
        for (int i = 0; i < labelNames.size(); i++) {
            labels.add(new Sample.Label(labelNames.get(i), values.get(i)));
        }
        labels.addAll(sample.labels());
        return new Sample(sample.suffix(), labels, sample.value());
    }
}
