package io.dedupstore.it;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits on a condition with a deadline. */
final class Eventually {
    private static final long STEP_MILLIS = 20;

    private Eventually() {}

    /**
     * @return whether it held before the deadline
     */
    static boolean holds(Duration deadline, BooleanSupplier condition) {
        long end = System.nanoTime() + deadline.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(STEP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
