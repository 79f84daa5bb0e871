package io.dedupstore.core.metadata;

import io.dedupstore.core.model.Segment;
import java.util.Arrays;
import java.util.List;

/** Where the bytes of a version or part are. */
public sealed interface Body {
    int MAX_INLINE_BYTES = 4096;

    /**
     * Kept in the metadata itself; 0 to 4,096 bytes.
     *
     * @param seal what an encrypted one is opened with, else empty; it has as many bytes as the
     *     plain one
     */
    record Inline(byte[] bytes, byte[] seal) implements Body {
        private static final byte[] UNSEALED = {};

        public Inline(byte[] bytes) {
            this(bytes, UNSEALED);
        }

        public Inline {
            if (bytes.length > MAX_INLINE_BYTES) {
                throw new IllegalArgumentException("inline body too large: " + bytes.length);
            }
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Inline i
                    && Arrays.equals(bytes, i.bytes)
                    && Arrays.equals(seal, i.seal);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        /** Whether the bytes are encrypted. */
        public boolean sealed() {
            return seal.length > 0;
        }
    }

    /** Byte ranges of holders, in order. */
    record Segments(List<Segment> segments) implements Body {
        public Segments {
            segments = List.copyOf(segments);
        }
    }

    /** Parts in order, each inline or segments; made by completing a multipart upload. */
    record Parts(List<Body> parts) implements Body {
        public Parts {
            parts = List.copyOf(parts);
            if (parts.stream().anyMatch(Parts.class::isInstance)) {
                throw new IllegalArgumentException("parts do not nest");
            }
        }
    }

    default long length() {
        return switch (this) {
            case Inline inline -> inline.bytes().length;
            case Segments(List<Segment> segments) ->
                    segments.stream().mapToLong(Segment::length).sum();
            case Parts(List<Body> parts) -> parts.stream().mapToLong(Body::length).sum();
        };
    }
}
