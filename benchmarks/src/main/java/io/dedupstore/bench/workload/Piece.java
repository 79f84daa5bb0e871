package io.dedupstore.bench.workload;

/**
 * Bytes that stand together in a version of an object.
 *
 * @param version whose new bytes they are; 0 is the object's records
 * @param offset where they stand among those
 */
record Piece(int version, long offset, long length) {
    Piece from(long skip) {
        return new Piece(version, offset + skip, length - skip);
    }

    Piece upTo(long end) {
        return new Piece(version, offset, end);
    }
}
