package io.dedupstore.core.metadata;

import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.Segment;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The metadata shards as a gateway sees them. Blocking; any number of threads, virtual ones too.
 * Reads are linearizable. Every mutation is one Raft entry, carries a V of its own that is never
 * used for anything else, and may be repeated with the same V: the recorded outcome is answered
 * again.
 *
 * <p>All methods throw {@link MetadataException}.
 */
public interface MetadataService {
    /** Entries of a manifest row that is sent ahead. */
    int MANIFEST_ROW_ENTRIES = 512;

    /** Chunks of a holder. */
    int MAX_HOLDER_CHUNKS = 65_536;

    /** Segments of a version. */
    int MAX_SEGMENTS = 65_536;

    /** Holders of one write that may be committed before its last. */
    int MAX_EARLIER_HOLDERS = 512;

    /** The shard that keeps a key's versions and decides the fate of attempts on it. */
    ShardId shardOf(BucketId bucket, ObjectKey key);

    // ---- writing ----

    /** Sends one full row of a manifest ahead; invisible until its attempt commits. */
    void sendRow(BucketId bucket, ObjectKey key, V v, int row, List<ManifestEntry> entries);

    /** Commits a holder that an unfinished write will refer to as {@code earlier}. */
    void commitEarlier(BucketId bucket, ObjectKey key, NewBody.Holder holder);

    /** What becomes visible besides the bytes. */
    record VersionSpec(
            String etag,
            ObjectAttributes attributes,
            List<ObjectChecksum> checksums,
            Keeping keeping) {
        public VersionSpec {
            checksums = List.copyOf(checksums);
        }
    }

    /** Installs a version: the only point of visibility of a PUT. */
    ObjectVersion putObject(
            BucketId bucket,
            ObjectKey key,
            NewBody body,
            VersionSpec spec,
            Precondition precondition);

    /** Installs (or replaces) a part of an upload. */
    PartInfo putPart(
            BucketId bucket,
            ObjectKey key,
            V upload,
            int partNumber,
            NewBody body,
            String etag,
            List<ObjectChecksum> checksums);

    /**
     * Says that an attempt will not commit, so that its claims need not wait for the end of its
     * epoch. Best effort; never throws.
     */
    void abandon(BucketId bucket, ObjectKey key, V v, Map<ShardId, Retained> claimed);

    /**
     * What a delete has done.
     *
     * @param existed whether an object was there: the current one, or the version named
     * @param version the delete marker that was made, or the version that is gone
     * @param deleteMarker whether that is a delete marker
     */
    record Deleted(boolean existed, Optional<VersionId> version, boolean deleteMarker) {}

    /**
     * Deletes what is current. What remains of it is as the bucket keeps versions: in one with
     * versioning there comes a delete marker, whether or not there is something to be deleted.
     */
    Deleted deleteObject(
            V v, BucketId bucket, ObjectKey key, Versioning versioning, Precondition precondition);

    /**
     * Removes one version, or one delete marker, for good; if it was the newest, the next one is
     * current. One that is not there is gone already. LOCKED where retention or a legal hold forbid
     * it.
     *
     * @param bypassGovernance whether retention in governance mode is no obstacle
     */
    Deleted deleteVersion(
            V v,
            BucketId bucket,
            ObjectKey key,
            VersionId version,
            boolean bypassGovernance,
            Precondition precondition);

    /**
     * Gives a version these tags, and only these; it stays the version it is. NO_SUCH_KEY,
     * NO_SUCH_VERSION or IS_DELETE_MARKER where there is none.
     *
     * @param version empty for the current one
     * @return which one it was
     */
    VersionId tagObject(
            V v,
            BucketId bucket,
            ObjectKey key,
            Optional<VersionId> version,
            SortedMap<String, String> tags);

    /**
     * Gives a version this retention, or takes its away; it stays the version it is. LOCKED where
     * the one it has forbids that; otherwise as {@link #tagObject}.
     */
    VersionId setRetention(
            V v,
            BucketId bucket,
            ObjectKey key,
            Optional<VersionId> version,
            Optional<Retention> retention,
            boolean bypassGovernance);

    /** As {@link #tagObject}. */
    VersionId setLegalHold(
            V v, BucketId bucket, ObjectKey key, Optional<VersionId> version, boolean on);

    /** As {@link #tagObject}. */
    VersionId setAcl(
            V v, BucketId bucket, ObjectKey key, Optional<VersionId> version, AccessList list);

    /**
     * Installs a version over the bytes of another, without moving them. Source and target are in
     * one shard.
     *
     * @param source the version that was read; if it is gone, SOURCE_CHANGED
     */
    ObjectVersion copyObject(
            V v,
            BucketId sourceBucket,
            ObjectVersion source,
            BucketId bucket,
            ObjectKey key,
            VersionSpec spec,
            Precondition precondition);

    /** Installs a part over bytes of an existing version: {@code body} is a range of its body. */
    PartInfo copyPart(
            V v,
            BucketId sourceBucket,
            ObjectVersion source,
            BucketId bucket,
            ObjectKey key,
            V upload,
            int partNumber,
            Body body,
            String etag,
            List<ObjectChecksum> checksums);

    // ---- multipart ----

    Upload createUpload(
            V v,
            BucketId bucket,
            ObjectKey key,
            ObjectAttributes attributes,
            Optional<ChecksumAlgorithm> checksumAlgorithm,
            boolean compositeChecksum);

    /** A part as it was seen when the completion was checked. */
    record SeenPart(int number, V v) {}

    /**
     * Makes the upload's parts a version. Repeating a completion that was done (by any V, with the
     * same upload) returns its version.
     *
     * @param parts ascending by number; each must still be as seen, else INVALID_PART
     */
    ObjectVersion completeUpload(
            V v,
            BucketId bucket,
            ObjectKey key,
            V upload,
            List<SeenPart> parts,
            VersionSpec spec,
            Precondition precondition);

    /** Gives the upload and its parts up. NO_SUCH_UPLOAD where there is none. */
    void abortUpload(V v, BucketId bucket, ObjectKey key, V upload);

    Optional<Upload> findUpload(BucketId bucket, ObjectKey key, V upload);

    /** The version an upload was completed to, as long as that is remembered. */
    Optional<ObjectVersion> findCompleted(BucketId bucket, ObjectKey key, V upload);

    /** Parts with a number greater than {@code afterNumber}, ascending, at most {@code limit}. */
    List<PartInfo> listParts(BucketId bucket, ObjectKey key, V upload, int afterNumber, int limit);

    /** Where a listing of uploads begins: behind this key, or behind this upload of the key. */
    record UploadMarker(String key, Optional<V> upload) {}

    /** A page of uploads or common prefixes, in order of key, then of upload. */
    record UploadPage(
            List<Upload> uploads,
            List<String> commonPrefixes,
            boolean truncated,
            Optional<UploadMarker> next) {}

    UploadPage listUploads(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<UploadMarker> after,
            int limit);

    // ---- reading ----

    /** The current object. */
    Optional<ObjectVersion> findObject(BucketId bucket, ObjectKey key);

    /**
     * A version, or a delete marker.
     *
     * @param version empty for the newest
     */
    Optional<ObjectVersion> findVersion(
            BucketId bucket, ObjectKey key, Optional<VersionId> version);

    /** A version with its body and, for a completed upload, its parts. */
    record Stored(ObjectVersion version, Body body, List<PartInfo> parts) {}

    /** The current object. */
    Optional<Stored> openObject(BucketId bucket, ObjectKey key);

    /** As {@link #findVersion}; a delete marker has no bytes. */
    Optional<Stored> openVersion(BucketId bucket, ObjectKey key, Optional<VersionId> version);

    /**
     * A stretch of a holder's manifest.
     *
     * @param offset plain byte offset of the first entry within the holder
     */
    record ManifestStretch(long offset, List<ManifestEntry> entries) {}

    /**
     * Entries of a holder from the one that contains byte {@code offset} on: the rest of the row it
     * is in, so at most {@link #MANIFEST_ROW_ENTRIES}. Empty when the holder is gone or ends
     * before.
     */
    Optional<ManifestStretch> readManifest(BucketId bucket, ObjectKey key, V holder, long offset);

    /** One line of a listing. */
    sealed interface Listed {
        record Key(ObjectVersion version) implements Listed {}

        record CommonPrefix(String prefix) implements Listed {}
    }

    /**
     * @param next where the following page begins, exclusive: the last key or common prefix of this
     *     one
     */
    record ListPage(List<Listed> lines, boolean truncated, Optional<String> next) {}

    /**
     * Keys in order of unsigned UTF-8 bytes.
     *
     * @param after exclusive: keys up to this one, and keys under it where it is a common prefix of
     *     this listing, are skipped
     * @param limit lines, 0 to 1000
     */
    ListPage listObjects(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<String> after,
            int limit);

    /** One line of a listing of versions. */
    sealed interface ListedVersion {
        /**
         * @param latest whether it is the newest of its key
         */
        record Version(ObjectVersion version, boolean latest) implements ListedVersion {}

        record CommonPrefix(String prefix) implements ListedVersion {}
    }

    /** Where a listing of versions begins: behind this key, or behind this version of the key. */
    record VersionMarker(String key, Optional<VersionId> version) {}

    record VersionPage(
            List<ListedVersion> lines, boolean truncated, Optional<VersionMarker> next) {}

    /**
     * All versions and delete markers, in order of key, of one key the newest first.
     *
     * @param after exclusive. A null version that is not there any more stands before all versions
     *     of its key
     * @param limit lines, 0 to 1000
     */
    VersionPage listVersions(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<VersionMarker> after,
            int limit);

    // ---- buckets ----

    /**
     * Refuses all writes to the bucket from now on, for ever. BUCKET_NOT_EMPTY when there is an
     * object, a version or a delete marker. Idempotent.
     */
    void sealBucket(V v, BucketId bucket);

    /**
     * What a bucket holds now.
     *
     * @param objects current ones
     * @param logicalBytes plain bytes of all versions and parts
     * @param inlineBytes of them, in the metadata itself
     * @param referencedChunkBytes of them, in chunks, zero chunks included
     * @param firstWrittenBytes chunk bytes that were new to the store when this bucket wrote them
     * @param zeroDistinctBytes bytes of the zero chunks it wrote, each length once
     * @param noncurrentVersions objects that are not current any more
     */
    record BucketUsage(
            long objects,
            long logicalBytes,
            long inlineBytes,
            long referencedChunkBytes,
            long chunks,
            long firstWrittenBytes,
            long zeroDistinctBytes,
            long uploads,
            long noncurrentVersions,
            long deleteMarkers) {}

    BucketUsage usage(BucketId bucket);

    /** The byte ranges that a stretch of a body maps to. */
    static List<Segment> segmentsOf(Body body) {
        return switch (body) {
            case Body.Inline inline -> List.of();
            case Body.Segments(List<Segment> segments) -> segments;
            case Body.Parts(List<Body> parts) ->
                    parts.stream().flatMap(part -> segmentsOf(part).stream()).toList();
        };
    }
}
