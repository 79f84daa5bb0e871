package io.dedupstore.core.metadata;

/**
 * How much a body counts for.
 *
 * @param bytes plain bytes
 * @param inlineBytes of them, kept in the metadata
 * @param chunks a range of a holder counts its share of the holder's chunks, rounded up
 * @param segments ranges of holders
 */
record BodySize(long bytes, long inlineBytes, long chunks, int segments) {
    static final BodySize ZERO = new BodySize(0, 0, 0, 0);

    static BodySize of(MetadataProto.BodyRow body) {
        return new BodySize(
                body.getSize(), body.getInlineBytes(), body.getChunks(), body.getSegments());
    }

    static BodySize of(MetadataProto.PartSummary part) {
        return new BodySize(
                part.getSize(), part.getInlineBytes(), part.getChunks(), part.getSegments());
    }

    long chunkBytes() {
        return bytes - inlineBytes;
    }

    BodySize plus(BodySize more) {
        return new BodySize(
                bytes + more.bytes,
                inlineBytes + more.inlineBytes,
                chunks + more.chunks,
                Math.addExact(segments, more.segments));
    }

    BodySize minus(BodySize less) {
        return new BodySize(
                bytes - less.bytes,
                inlineBytes - less.inlineBytes,
                chunks - less.chunks,
                segments - less.segments);
    }

    BodySize negated() {
        return ZERO.minus(this);
    }
}
