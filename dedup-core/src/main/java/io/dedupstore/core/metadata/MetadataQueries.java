package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvSnapshot;
import io.dedupstore.core.kv.KvStore;
import io.dedupstore.core.metadata.MetadataService.BucketUsage;
import io.dedupstore.core.metadata.MetadataService.ListPage;
import io.dedupstore.core.metadata.MetadataService.Listed;
import io.dedupstore.core.metadata.MetadataService.ManifestStretch;
import io.dedupstore.core.metadata.MetadataService.Stored;
import io.dedupstore.core.metadata.MetadataService.UploadMarker;
import io.dedupstore.core.metadata.MetadataService.UploadPage;
import io.dedupstore.core.metadata.MetadataService.VersionMarker;
import io.dedupstore.core.metadata.MetadataService.VersionPage;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Questions to one metadata shard. They need a consistent view: {@link #over} makes one where the
 * reader is a store that may change meanwhile.
 */
public final class MetadataQueries {
    private final KvReader rows;
    private final RowReader reader;

    private MetadataQueries(KvReader rows, ShardId shard) {
        this.rows = rows;
        this.reader = new RowReader(rows, shard);
    }

    /** Asks {@code question} of a consistent view of a shard. */
    public static <T> T over(KvReader rows, ShardId shard, Function<MetadataQueries, T> question) {
        if (rows instanceof KvStore store) {
            try (KvSnapshot snapshot = store.snapshot()) {
                return question.apply(new MetadataQueries(snapshot, shard));
            }
        }
        return question.apply(new MetadataQueries(rows, shard));
    }

    // ---- objects ----

    Optional<ObjectVersion> findObject(BucketId bucket, ObjectKey key) {
        return Optional.ofNullable(reader.object(bucket, key))
                .map(row -> Wire.version(key, row.getVersion()));
    }

    Optional<ObjectVersion> findVersion(BucketId bucket, ObjectKey key, Optional<VersionId> id) {
        return Optional.ofNullable(new VersionRows(reader).find(bucket, key, id))
                .map(found -> Wire.version(key, found.row().getVersion()));
    }

    Optional<Stored> openObject(BucketId bucket, ObjectKey key) {
        return Optional.ofNullable(reader.object(bucket, key)).map(row -> open(key, row));
    }

    Optional<Stored> openVersion(BucketId bucket, ObjectKey key, Optional<VersionId> id) {
        return Optional.ofNullable(new VersionRows(reader).find(bucket, key, id))
                .map(found -> open(key, found.row()));
    }

    private Stored open(ObjectKey key, MetadataProto.ObjectRow row) {
        ObjectVersion version = Wire.version(key, row.getVersion());
        BodyReader.Opened opened = new BodyReader(reader).open(row.getBody());
        return new Stored(version, opened.body(), opened.parts());
    }

    Optional<ManifestStretch> readManifest(V holder, long offset) {
        MetadataProto.HolderRow row = reader.holder(holder);
        if (row == null) {
            return Optional.empty();
        }
        long start = 0;
        int number = 0;
        while (number < row.getRowBytesCount() && start + row.getRowBytes(number) <= offset) {
            start += row.getRowBytes(number);
            number++;
        }
        if (number == row.getRowBytesCount()) {
            return Optional.empty();
        }
        List<ManifestEntry> entries = reader.manifest(holder, number);
        return entries == null ? Optional.empty() : Optional.of(from(entries, start, offset));
    }

    private static ManifestStretch from(List<ManifestEntry> entries, long start, long offset) {
        int first = 0;
        long at = start;
        while (at + entries.get(first).length() <= offset) {
            at += entries.get(first).length();
            first++;
        }
        return new ManifestStretch(at, List.copyOf(entries.subList(first, entries.size())));
    }

    // ---- chunks without the index ----

    List<V> holdersWithUnindexed(@Nullable V after, int limit) {
        byte[] prefix = reader.keys.all(RowKeys.Kind.UNINDEXED);
        byte[] from =
                after == null
                        ? prefix
                        : Bytes.successor(reader.keys.of(RowKeys.Kind.UNINDEXED, after));
        return Scans.run(rows, RowKeys.ROWS, prefix, from, limit).stream()
                .map(row -> RowKeys.vOf(row.key()))
                .toList();
    }

    /** In order of first appearance; none when the holder is not in use, or not yet installed. */
    List<UnindexedChunk> unindexedOf(V holder) {
        MetadataProto.HolderRow row = reader.holder(holder);
        boolean installing =
                rows.get(RowKeys.ROWS, reader.keys.of(RowKeys.Kind.INSTALL, holder)) != null;
        if (row == null || row.getUses() == 0 || installing) {
            return List.of();
        }
        Map<ChunkReference, List<Integer>> places = new LinkedHashMap<>();
        Map<ChunkReference, Integer> lengths = new HashMap<>();
        for (int number = 0; number < row.getRowBytesCount(); number++) {
            List<ManifestEntry> entries = reader.manifest(holder, number);
            for (ManifestEntry entry : entries == null ? List.<ManifestEntry>of() : entries) {
                if (entry.kind() == ManifestEntry.Kind.UNINDEXED) {
                    List<Integer> found =
                            places.computeIfAbsent(entry.reference(), r -> new ArrayList<>());
                    if (found.isEmpty() || found.getLast() != number) {
                        found.add(number);
                    }
                    lengths.put(entry.reference(), entry.length());
                }
            }
        }
        List<UnindexedChunk> chunks = new ArrayList<>();
        places.forEach(
                (reference, numbers) ->
                        chunks.add(
                                new UnindexedChunk(
                                        reference.fingerprint(),
                                        reference.address(),
                                        lengths.get(reference),
                                        numbers)));
        return chunks;
    }

    ListPage listObjects(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<String> after,
            int limit) {
        ObjectLines lines = new ObjectLines(bucket);
        Listing listing = new Listing(prefix, delimiter, limit, lines, lines);
        byte @Nullable [] start = null;
        if (after.isPresent()) {
            start = listing.behindCommonPrefixOf(after.get());
            if (start == null) {
                start = Bytes.successor(lines.rowsFrom(after.get()));
            }
        }
        boolean truncated = listing.walk(rows, RowKeys.OBJECTS, start);
        Optional<String> next =
                truncated ? Optional.of(nameOf(lines.lines.getLast())) : Optional.empty();
        return new ListPage(List.copyOf(lines.lines), truncated, next);
    }

    private static String nameOf(Listed line) {
        return switch (line) {
            case Listed.Key(ObjectVersion version) -> version.key().text();
            case Listed.CommonPrefix(String prefix) -> prefix;
        };
    }

    private final class ObjectLines implements Listing.RowNames, Listing.Taker {
        private final BucketId bucket;
        private final List<Listed> lines = new ArrayList<>();

        ObjectLines(BucketId bucket) {
            this.bucket = bucket;
        }

        @Override
        public byte[] rowsFrom(String start) {
            return Bytes.concat(
                    reader.keys.objects(bucket), start.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public byte[] nameOf(byte[] rowKey) {
            return RowKeys.objectKeyOf(rowKey);
        }

        @Override
        public void row(byte[] name, byte[] rowKey, byte[] value) {
            MetadataProto.ObjectRow row =
                    RowReader.parse(RowKeys.OBJECTS, MetadataProto.ObjectRow.parser(), value);
            lines.add(new Listed.Key(Wire.version(ObjectKey.ofUtf8(name), row.getVersion())));
        }

        @Override
        public void commonPrefix(String prefix) {
            lines.add(new Listed.CommonPrefix(prefix));
        }
    }

    // ---- versions ----

    VersionPage listVersions(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<VersionMarker> after,
            int limit) {
        return new VersionListing(rows, reader, bucket).page(prefix, delimiter, after, limit);
    }

    // ---- uploads ----

    Optional<Upload> findUpload(BucketId bucket, ObjectKey key, V upload) {
        return Optional.ofNullable(reader.upload(bucket, key, upload))
                .map(row -> upload(key, upload, row));
    }

    private static Upload upload(ObjectKey key, V id, MetadataProto.UploadRow row) {
        return new Upload(
                id,
                key,
                row.getInitiatedMillis(),
                Wire.attributes(row.getAttributes()),
                CommandDecoder.algorithm(row.getChecksumAlgorithm()),
                row.getCompositeChecksum());
    }

    Optional<ObjectVersion> findCompleted(BucketId bucket, ObjectKey key, V upload) {
        return Optional.ofNullable(reader.completed(upload))
                .filter(row -> row.getBucket() == bucket.value())
                .map(row -> Wire.version(Wire.key(row.getVersion().getKey()), row.getVersion()))
                .filter(version -> version.key().equals(key));
    }

    List<PartInfo> listParts(BucketId bucket, ObjectKey key, V upload, int afterNumber, int limit) {
        if (limit <= 0 || reader.upload(bucket, key, upload) == null) {
            return List.of();
        }
        byte[] prefix = reader.keys.of(RowKeys.Kind.PART, upload);
        byte[] from =
                reader.keys.of(
                        RowKeys.Kind.PART,
                        upload,
                        Math.clamp(afterNumber, 0, PartInfo.MAX_NUMBER) + 1);
        return Scans.run(rows, RowKeys.ROWS, prefix, from, limit).stream()
                .map(
                        row ->
                                BodyReader.partInfo(
                                        RowKeys.numberOf(row.key()),
                                        RowReader.parse(
                                                RowKeys.ROWS,
                                                MetadataProto.PartRow.parser(),
                                                row.value())))
                .toList();
    }

    UploadPage listUploads(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<UploadMarker> after,
            int limit) {
        UploadLines lines = new UploadLines(bucket);
        Listing listing = new Listing(prefix, delimiter, limit, lines, lines);
        byte @Nullable [] start = null;
        if (after.isPresent()) {
            start = listing.behindCommonPrefixOf(after.get().key());
            if (start == null) {
                start = lines.behind(after.get());
            }
        }
        boolean truncated = listing.walk(rows, RowKeys.ROWS, start);
        return new UploadPage(
                List.copyOf(lines.uploads),
                List.copyOf(lines.commonPrefixes),
                truncated,
                truncated ? Optional.ofNullable(lines.last) : Optional.empty());
    }

    private final class UploadLines implements Listing.RowNames, Listing.Taker {
        private final BucketId bucket;
        private final List<Upload> uploads = new ArrayList<>();
        private final List<String> commonPrefixes = new ArrayList<>();
        private @Nullable UploadMarker last;

        UploadLines(BucketId bucket) {
            this.bucket = bucket;
        }

        byte @Nullable [] behind(UploadMarker marker) {
            byte[] key = reader.keys.uploadsOf(bucket, marker.key());
            return marker.upload().isPresent()
                    ? Bytes.successor(Bytes.concat(key, marker.upload().get().toBytes()))
                    : Bytes.successorOfPrefix(key);
        }

        @Override
        public byte[] rowsFrom(String start) {
            return reader.keys.uploadsFrom(bucket, start);
        }

        @Override
        public byte[] nameOf(byte[] rowKey) {
            return RowKeys.uploadKeyOf(rowKey);
        }

        @Override
        public void row(byte[] name, byte[] rowKey, byte[] value) {
            MetadataProto.UploadRow row =
                    RowReader.parse(RowKeys.ROWS, MetadataProto.UploadRow.parser(), value);
            Upload upload = upload(ObjectKey.ofUtf8(name), RowKeys.uploadVOf(rowKey), row);
            uploads.add(upload);
            last = new UploadMarker(upload.key().text(), Optional.of(upload.id()));
        }

        @Override
        public void commonPrefix(String prefix) {
            commonPrefixes.add(prefix);
            last = new UploadMarker(prefix, Optional.empty());
        }
    }

    // ---- sums ----

    public BucketUsage usage(BucketId bucket) {
        MetadataProto.BucketRow row = reader.bucket(bucket);
        return new BucketUsage(
                row.getObjects(),
                row.getLogicalBytes(),
                row.getInlineBytes(),
                row.getReferencedChunkBytes(),
                row.getChunks(),
                row.getFirstWrittenBytes(),
                row.getZeroDistinctBytes(),
                row.getUploads(),
                row.getNoncurrentVersions(),
                row.getDeleteMarkers());
    }

    public ShardTotals totals() {
        return ShardTotals.of(reader.shard().getTotals());
    }

    boolean isSettled(int epoch) {
        return Epochs.isSettled(reader, reader.shard(), epoch);
    }
}
