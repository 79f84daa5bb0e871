package io.dedupstore.core.metadata;

import io.dedupstore.core.model.Segment;
import java.util.ArrayList;
import java.util.List;

/** What a body is made of when it is laid flat: bytes kept here, or a range of a holder. */
sealed interface Piece {
    long length();

    /**
     * @param seal as in {@link Body.Inline}
     */
    record Bytes(byte[] bytes, byte[] seal) implements Piece {
        @Override
        public long length() {
            return bytes.length;
        }
    }

    record Range(Segment segment) implements Piece {
        @Override
        public long length() {
            return segment.length();
        }
    }

    /** The pieces of a body, in order, without empty ones. */
    static List<Piece> of(Body body) {
        return switch (body) {
            case Body.Inline(byte[] bytes, byte[] seal) ->
                    bytes.length == 0 ? List.of() : List.of(new Bytes(bytes, seal));
            case Body.Segments(List<Segment> segments) ->
                    segments.stream().<Piece>map(Range::new).toList();
            case Body.Parts(List<Body> parts) ->
                    parts.stream().flatMap(part -> of(part).stream()).toList();
        };
    }

    /** The simplest body that has these pieces. */
    static Body toBody(List<Piece> pieces) {
        List<Body> runs = new ArrayList<>();
        List<Segment> run = new ArrayList<>();
        for (Piece piece : pieces) {
            switch (piece) {
                case Range(Segment segment) -> run.add(segment);
                case Bytes(byte[] bytes, byte[] seal) -> {
                    endRun(run, runs);
                    runs.add(new Body.Inline(bytes, seal));
                }
            }
        }
        endRun(run, runs);
        return switch (runs.size()) {
            case 0 -> new Body.Inline(new byte[0]);
            case 1 -> runs.getFirst();
            default -> new Body.Parts(runs);
        };
    }

    private static void endRun(List<Segment> run, List<Body> runs) {
        if (!run.isEmpty()) {
            runs.add(new Body.Segments(List.copyOf(run)));
            run.clear();
        }
    }
}
