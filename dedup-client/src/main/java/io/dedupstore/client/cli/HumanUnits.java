package io.dedupstore.client.cli;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as people read them. */
final class HumanUnits {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final int STEP = 1024;

    private HumanUnits() {}

    /** {@code 1.50 GiB}; whole below a KiB. */
    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.2f %s", value, UNITS[unit]);
    }

    static String ratio(@Nullable BigDecimal ratio) {
        return ratio == null ? "-" : ratio.toPlainString() + "x";
    }

    /** What of {@code whole} did not need {@code stored}; negative when more was stored. */
    static String saving(long whole, long stored) {
        return whole == 0
                ? "-"
                : String.format(Locale.ROOT, "%.2f %%", 100.0 * (whole - stored) / whole);
    }

    static String count(long count) {
        return Long.toString(count);
    }
}
