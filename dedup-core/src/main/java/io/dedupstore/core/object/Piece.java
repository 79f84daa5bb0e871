package io.dedupstore.core.object;

import io.dedupstore.core.metadata.Body;
import io.dedupstore.core.model.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A body's range broken down to what can be read: inline bytes, or a range of one holder. */
sealed interface Piece {
    record Bytes(ByteBuffer bytes) implements Piece {}

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
            case Body.Inline(byte[] bytes) -> {
                long end = base + bytes.length;
                if (end > from && base < to) {
                    int start = (int) Math.max(0, from - base);
                    int stop = (int) (Math.min(to, end) - base);
                    into.add(new Bytes(ByteBuffer.wrap(bytes, start, stop - start).slice()));
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
