package io.dedupstore.core.metadata;

/**
 * What a metadata shard holds now, over all buckets.
 *
 * @param objects current ones
 * @param logicalBytes plain bytes of all versions and parts
 * @param inlineBytes of them, in the metadata itself
 * @param referencedChunkBytes of them, in chunks, zero chunks included: the numerator of the dedup
 *     ratio
 * @param firstWrittenBytes chunk bytes of live holders that were new to the store when written
 * @param unindexedBytes distinct chunk bytes that holders own outside of the index; a chunk
 *     repeated in one holder counts once for each manifest row it is in
 * @param zeroDistinctBytes the lengths of zero chunks in use, each length once
 * @param metadataBytes about what versions, holders, manifests, parts and layouts take
 * @param noncurrentVersions objects that are not current any more
 */
public record ShardTotals(
        long objects,
        long logicalBytes,
        long inlineBytes,
        long referencedChunkBytes,
        long chunks,
        long firstWrittenBytes,
        long uploads,
        long holders,
        long unindexedBytes,
        long zeroDistinctBytes,
        long metadataBytes,
        long noncurrentVersions,
        long deleteMarkers) {
    static ShardTotals of(MetadataProto.TotalsRow row) {
        return new ShardTotals(
                row.getObjects(),
                row.getLogicalBytes(),
                row.getInlineBytes(),
                row.getReferencedChunkBytes(),
                row.getChunks(),
                row.getFirstWrittenBytes(),
                row.getUploads(),
                row.getHolders(),
                row.getUnindexedBytes(),
                row.getZeroDistinctBytes(),
                row.getMetadataBytes(),
                row.getNoncurrentVersions(),
                row.getDeleteMarkers());
    }
}
