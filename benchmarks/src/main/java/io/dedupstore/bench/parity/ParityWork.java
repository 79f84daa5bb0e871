package io.dedupstore.bench.parity;

import io.dedupstore.core.parity.Parity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** One scheme's fragments, and what is done with them again and again by one driver. */
final class ParityWork {
    private static final long SEED = 20261121;

    /** What is measured. */
    enum Step {
        ENCODE,
        /** The first fragments lost, as many as there is parity. */
        DECODE,
        UPDATE;

        String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Parity parity;
    private final List<ByteBuffer> data;
    private final List<ByteBuffer> rows;
    private final Map<Integer, ByteBuffer> present = new TreeMap<>();
    private final Map<Integer, ByteBuffer> rebuilt = new TreeMap<>();
    private final List<ByteBuffer> updated;
    private final ByteBuffer changed;
    private final int fragmentBytes;

    ParityWork(Parity parity, int fragmentBytes) {
        this.parity = parity;
        this.fragmentBytes = fragmentBytes;
        Random random = new Random(SEED);
        int k = parity.scheme().data();
        int m = parity.scheme().parity();
        data = fragments(k, random);
        rows = fragments(m, random);
        updated = fragments(m, random);
        changed = fragments(1, random).getFirst();
        parity.encode(data, rows);
        for (int i = 0; i < k + m; i++) {
            if (i < m) {
                rebuilt.put(i, ByteBuffer.allocateDirect(fragmentBytes));
            } else {
                present.put(i, i < k ? data.get(i) : rows.get(i - k));
            }
        }
    }

    private List<ByteBuffer> fragments(int n, Random random) {
        List<ByteBuffer> fragments = new ArrayList<>();
        byte[] bytes = new byte[fragmentBytes];
        while (fragments.size() < n) {
            random.nextBytes(bytes);
            fragments.add(ByteBuffer.allocateDirect(fragmentBytes).put(bytes).flip());
        }
        return fragments;
    }

    /** GB/s over at least so many nanoseconds. */
    double rate(Step step, long nanos) {
        long start = System.nanoTime();
        long calls = 0;
        long passed;
        do {
            run(step);
            calls++;
            passed = System.nanoTime() - start;
        } while (passed < nanos);
        long bytes = (step == Step.UPDATE ? 1L : parity.scheme().data()) * fragmentBytes;
        return (double) calls * bytes / passed;
    }

    private void run(Step step) {
        switch (step) {
            case ENCODE -> parity.encode(data, rows);
            case DECODE -> parity.reconstruct(present, rebuilt);
            case UPDATE -> parity.update(0, data.getFirst(), changed, updated);
        }
    }

    /** The same for all drivers, however often the step was run. */
    List<ByteBuffer> result(Step step) {
        return switch (step) {
            case ENCODE -> rows;
            case DECODE -> List.copyOf(rebuilt.values());
            case UPDATE -> {
                List<ByteBuffer> fresh = fragments(rows.size(), new Random(SEED + 1));
                parity.update(0, data.getFirst(), changed, fresh);
                yield fresh;
            }
        };
    }
}
