package io.dedupstore.bench.workload;

/**
 * The first byte that is not what it should be.
 *
 * @param offset in the object
 * @param expected the byte there (0 to 255), or -1 where the object should have ended
 * @param found the byte there (0 to 255), or -1 where the bytes ended
 * @param finding what can be told of it: whose bytes stand there, or that they are nobody's
 */
public record Mismatch(
        long object, int version, long offset, int expected, int found, String finding) {
    @Override
    public String toString() {
        return "object %d version %d, byte %d: expected %s, found %s; %s"
                .formatted(object, version, offset, text(expected), text(found), finding);
    }

    private static String text(int value) {
        return value < 0 ? "the end" : "0x%02x".formatted(value);
    }
}
