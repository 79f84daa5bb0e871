package io.dedupstore.core.fingerprint;

/**
 * How an engine begins.
 *
 * @param primaries threads that hash
 */
public record HashSettings(HashDriver driver, int primaries) {
    public static final int MAX_PRIMARIES = 64;

    public HashSettings {
        if (primaries < 1 || primaries > MAX_PRIMARIES) {
            throw new IllegalArgumentException(
                    primaries + " primary threads are not 1 to " + MAX_PRIMARIES);
        }
    }

    /** As a server has it unless told otherwise. */
    public static HashSettings defaults() {
        return new HashSettings(HashDriver.AUTO, defaultPrimaries());
    }

    /** Half the processors: the others make the work, and lanes fill while it waits. */
    public static int defaultPrimaries() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MAX_PRIMARIES);
    }
}
