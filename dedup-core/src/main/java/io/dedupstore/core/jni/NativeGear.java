package io.dedupstore.core.jni;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The native S2 gear scan with the tables of one dedup domain and profile. Immutable, for any
 * number of threads; its memory lives as long as this object.
 */
public final class NativeGear {
    private static final int SEED_WORDS = 9;
    private static final int ALIGNMENT_BYTES = 64;
    private static final int MIN_LENGTH = 256;

    private static final DriverNames DRIVERS = DriverNames.of(NativeGear::drivers0);

    private final MemorySegment gear;
    private final int driver;

    /** What this processor can run, the fastest first, the plain C last. */
    public static List<String> drivers() {
        return DRIVERS.names();
    }

    /**
     * @param driver index in {@link #drivers()}; all give the same cuts
     * @param seed the eight columns of A, then c
     * @param strict threshold for lengths in [min, avg), unsigned
     * @param loose threshold for lengths in [avg, max), unsigned
     */
    public NativeGear(int driver, int[] seed, int min, int avg, int max, int strict, int loose) {
        if (seed.length != SEED_WORDS || min < MIN_LENGTH || avg <= min || max <= avg) {
            throw new IllegalArgumentException("not the parameters of a gear scan");
        }
        if (strict == 0 || loose == 0) {
            throw new IllegalArgumentException("a threshold of zero never cuts");
        }
        this.driver = DRIVERS.checked(driver);
        gear = Arena.ofAuto().allocate(size0(), ALIGNMENT_BYTES);
        init0(gear.address(), seed, min, avg, max, strict, loose);
    }

    /**
     * Lengths of the chunks at the front of the bytes between position and limit, which do not
     * change.
     *
     * @param window direct
     * @return how many lengths were written
     */
    public int cuts(ByteBuffer window, boolean endOfInput, int[] lengths) {
        int count =
                cuts0(
                        gear.address(),
                        driver,
                        Addresses.of(window),
                        window.remaining(),
                        endOfInput,
                        lengths,
                        lengths.length);
        Reference.reachabilityFence(window);
        Reference.reachabilityFence(this);
        return count;
    }

    private static native String drivers0();

    private static native long size0();

    private static native void init0(
            long gear, int[] seed, int min, int avg, int max, int strict, int loose);

    private static native int cuts0(
            long gear, int driver, long data, int length, boolean end, int[] lengths, int capacity);
}
