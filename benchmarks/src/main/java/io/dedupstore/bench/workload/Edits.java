package io.dedupstore.bench.workload;

/**
 * How an object changes from one version to the next.
 *
 * @param objectShare share of the objects that change in a version
 * @param perObject edits of such an object in a version, each at a random byte
 * @param meanBytes of an edit; lengths are even from 1 to twice this
 * @param insertShare share of edits that insert new bytes
 * @param deleteShare share of edits that delete; the rest overwrites
 * @param shiftBytes new bytes put before everything else in each version: all that follows shifts
 */
public record Edits(
        double objectShare,
        int perObject,
        int meanBytes,
        double insertShare,
        double deleteShare,
        int shiftBytes) {
    private static final int MAX_EDITS = 1 << 16;

    public static final Edits NONE = new Edits(0, 0, 1, 0, 0, 0);

    /** Eight edits of 4 KiB on average in each object, as many insertions as deletions. */
    public static final Edits TYPICAL = new Edits(1, 8, 4096, 0.4, 0.4, 0);

    public Edits {
        boolean shares =
                objectShare >= 0
                        && objectShare <= 1
                        && insertShare >= 0
                        && deleteShare >= 0
                        && insertShare + deleteShare <= 1;
        if (!shares) {
            throw new IllegalArgumentException("shares of edits must be between 0 and 1");
        }
        if (perObject < 0 || perObject > MAX_EDITS || meanBytes < 1 || meanBytes > 1 << 29) {
            throw new IllegalArgumentException(
                    "a version has 0 to 65536 edits of an object, of 1 byte to 512 MiB on average");
        }
        if (shiftBytes < 0) {
            throw new IllegalArgumentException("a shift has no negative length: " + shiftBytes);
        }
    }
}
