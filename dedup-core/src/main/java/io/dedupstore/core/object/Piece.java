package io.dedupstore.core.object;

import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.model.Segment;
import java.util.ArrayList;
import java.util.List;

/** A body's range broken down to what can be read: inline bytes, or a range of one holder. */
sealed interface Piece {
    /**
     * Bytes [from, to) of what is kept in the metadata.
     *
     * @param whole may be encrypted
     */
    record Kept(Body.Inline whole, int from, int to) implements Piece {
        boolean isWhole() {
            return from == 0 && to == whole.bytes().length;
        }
    }

    record Range(Segment segment) implements Piece {}

    /** In order; empty for an empty range. */
    static List<Piece> of(Body body, long offset, long length) {
        List<Piece> pieces = new ArrayList<>();
        collect(body, offset, offset + length, 0, pieces);
        return pieces;
    }

    /**
     * Adds what of {@code body}, which begins at {@code base}, lies in [from, to); returns its end.
     */
    private static long collect(Body body, long from, long to, long base, List<Piece> into) {
        return switch (body) {
            case Body.Inline inline -> {
                long end = base + inline.bytes().length;
                if (end > from && base < to) {
                    int start = (int) Math.max(0, from - base);
                    int stop = (int) (Math.min(to, end) - base);
                    into.add(new Kept(inline, start, stop));
                }
                yield end;
            }
            case Body.Segments(List<Segment> segments) -> {
                long at = base;
                for (Segment segment : segments) {
                    addRange(segment, from, to, at, into);
                    at += segment.length();
                }
                yield at;
            }
            case Body.Parts(List<Body> parts) -> {
                long at = base;
                for (Body part : parts) {
                    at = collect(part, from, to, at, into);
                }
                yield at;
            }
        };
    }

    private static void addRange(Segment segment, long from, long to, long base, List<Piece> into) {
        long start = Math.max(0, from - base);
        long stop = Math.min(segment.length(), to - base);
        if (start < stop) {
            into.add(
                    new Range(
                            new Segment(segment.holder(), segment.offset() + start, stop - start)));
        }
    }
}
