package io.dedupstore.core.model;

/**
 * A byte range of a holder's manifest: what versions and parts are made of.
 *
 * @param offset first byte within the holder's plain bytes
 * @param length bytes, at least 1
 */
public record Segment(V holder, long offset, long length) {
    public Segment {
        if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("bad range " + offset + "+" + length);
        }
    }
}
