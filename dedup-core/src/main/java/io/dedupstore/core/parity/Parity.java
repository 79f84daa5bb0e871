package io.dedupstore.core.parity;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Systematic Reed-Solomon coding over one scheme, as docs/formats/parity.md specifies it.
 * Immutable, for any number of threads.
 *
 * <p>A fragment is the bytes between position and limit of a buffer, neither of which changes. All
 * fragments of a call have one length, which may be 0. Byte i of a fragment depends on byte i of
 * the others only: a call may be made for any range of the fragments, the same for all. Outputs
 * overlap neither inputs nor each other. Direct buffers go through ISA-L where it is installed; a
 * call with any buffer of the heap is done in Java, with the same result.
 */
public final class Parity {
    private static final List<ParityKernel> KERNELS = ParityKernel.all();

    private final ParityScheme scheme;
    private final ParityMatrix matrix;
    private final ParityKernel kernel;

    private Parity(ParityScheme scheme, ParityKernel kernel) {
        this.scheme = scheme;
        this.kernel = kernel;
        matrix = ParityMatrix.of(scheme);
    }

    /** With the fastest driver. */
    public static Parity of(ParityScheme scheme) {
        return new Parity(scheme, KERNELS.getFirst());
    }

    /**
     * @param driver one of {@link #drivers()}; all give the same bytes
     */
    public static Parity of(ParityScheme scheme, String driver) {
        return KERNELS.stream()
                .filter(kernel -> kernel.name().equals(driver))
                .findFirst()
                .map(kernel -> new Parity(scheme, kernel))
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no parity driver '%s' here, only %s"
                                                .formatted(driver, drivers())));
    }

    /** What this process can use, the fastest first; the last is {@code java}. */
    public static List<String> drivers() {
        return KERNELS.stream().map(ParityKernel::name).toList();
    }

    public ParityScheme scheme() {
        return scheme;
    }

    /** That of direct buffers. */
    public String driver() {
        return kernel.name();
    }

    /** Computes all parity fragments from all data fragments. */
    public void encode(List<ByteBuffer> data, List<ByteBuffer> parity) {
        checkCount("data", data, scheme.data());
        checkCount("parity", parity, scheme.parity());
        checkFragments(data, parity);
        kernel.multiply(matrix.coefficients(), List.copyOf(data), List.copyOf(parity));
    }

    /**
     * Rebuilds lost fragments, of data or parity.
     *
     * @param present at least as many intact fragments as carry data, by number; of more, those
     *     with the lowest numbers are read
     * @param lost buffers for what is wanted, by number; other lost fragments need not be named
     */
    public void reconstruct(Map<Integer, ByteBuffer> present, Map<Integer, ByteBuffer> lost) {
        present.keySet().forEach(scheme::carriesData);
        lost.keySet().forEach(scheme::carriesData);
        if (lost.keySet().stream().anyMatch(present::containsKey)) {
            throw new IllegalArgumentException("a fragment can't be both present and lost");
        }
        if (present.size() < scheme.data()) {
            throw new IllegalArgumentException(
                    "%d fragments of %s are left, which is too few"
                            .formatted(present.size(), scheme.format()));
        }
        if (lost.isEmpty()) {
            return;
        }
        TreeMap<Integer, ByteBuffer> inputs = new TreeMap<>(present);
        while (inputs.size() > scheme.data()) {
            inputs.pollLastEntry();
        }
        TreeMap<Integer, ByteBuffer> outputs = new TreeMap<>(lost);
        checkFragments(inputs.values(), outputs.values());
        ParityMatrix rebuild =
                matrix.reconstruction(List.copyOf(inputs.keySet()), List.copyOf(outputs.keySet()));
        kernel.multiply(
                rebuild.coefficients(),
                List.copyOf(inputs.values()),
                List.copyOf(outputs.values()));
    }

    /**
     * Makes parity follow one changed data fragment, without reading the others.
     *
     * @param fragment number of the data fragment
     * @param before what it held when the parity was computed
     * @param parity all parity fragments
     */
    public void update(int fragment, ByteBuffer before, ByteBuffer after, List<ByteBuffer> parity) {
        checkDataFragment(fragment);
        checkCount("parity", parity, scheme.parity());
        checkFragments(List.of(before, after), parity);
        kernel.update(matrix.column(fragment), before, after, List.copyOf(parity));
    }

    /**
     * Adds one data fragment to parity that does not cover it yet. Parity of zeros, with all data
     * fragments added in any order, is what {@link #encode} computes.
     */
    public void add(int fragment, ByteBuffer data, List<ByteBuffer> parity) {
        checkDataFragment(fragment);
        checkCount("parity", parity, scheme.parity());
        checkFragments(List.of(data), parity);
        kernel.add(matrix.column(fragment), data, List.copyOf(parity));
    }

    private void checkDataFragment(int fragment) {
        if (!scheme.carriesData(fragment)) {
            throw new IllegalArgumentException(
                    "fragment %d of %s carries no data".formatted(fragment, scheme.format()));
        }
    }

    private void checkCount(String what, List<ByteBuffer> fragments, int expected) {
        if (fragments.size() != expected) {
            throw new IllegalArgumentException(
                    "%s has %d %s fragments, not %d"
                            .formatted(scheme.format(), expected, what, fragments.size()));
        }
    }

    private static void checkFragments(Iterable<ByteBuffer> inputs, Iterable<ByteBuffer> outputs) {
        List<MemorySegment> seen = new ArrayList<>();
        inputs.forEach(input -> seen.add(MemorySegment.ofBuffer(input)));
        int firstOutput = seen.size();
        for (ByteBuffer output : outputs) {
            if (output.isReadOnly()) {
                throw new ReadOnlyBufferException();
            }
            MemorySegment segment = MemorySegment.ofBuffer(output);
            if (seen.stream().anyMatch(other -> segment.asOverlappingSlice(other).isPresent())) {
                throw new IllegalArgumentException("an output overlaps another fragment");
            }
            seen.add(segment);
        }
        long length = seen.get(firstOutput).byteSize();
        for (MemorySegment segment : seen) {
            if (segment.byteSize() != length) {
                throw new IllegalArgumentException(
                        "fragments of %d and %d bytes".formatted(length, segment.byteSize()));
            }
        }
    }
}
