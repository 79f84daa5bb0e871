package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataService.SeenPart;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.StreamPosition;
import io.dedupstore.core.model.V;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a metadata shard's log holds. */
sealed interface MetadataCommand {
    ShardId shard();

    /**
     * What a gateway asks for: fenced by the epoch of its V, and made idempotent by the fate of V.
     */
    sealed interface Request extends MetadataCommand {
        V v();

        /** When this was proposed, ms since 1970 UTC; the shard never goes back behind its last. */
        long timeMillis();

        /** Index shards to which a CLAIM of V was sent: each of them must hear of its fate. */
        default Map<ShardId, Retained> claimed() {
            return Map.of();
        }
    }

    record SendRow(ShardId shard, V v, long timeMillis, int row, List<ManifestEntry> entries)
            implements Request {
        public SendRow {
            entries = List.copyOf(entries);
        }
    }

    record CommitEarlier(
            ShardId shard, long timeMillis, BucketId bucket, ObjectKey key, NewBody.Holder holder)
            implements Request {
        @Override
        public V v() {
            return holder.v();
        }

        @Override
        public Map<ShardId, Retained> claimed() {
            return holder.claimed();
        }
    }

    record PutObject(
            ShardId shard,
            long timeMillis,
            BucketId bucket,
            ObjectKey key,
            NewBody body,
            VersionSpec spec,
            Precondition precondition)
            implements Request {
        @Override
        public V v() {
            return body.v();
        }

        @Override
        public Map<ShardId, Retained> claimed() {
            return claimedBy(body);
        }
    }

    /** Where a part goes and what it is called. */
    record PartSpec(
            BucketId bucket,
            ObjectKey key,
            V upload,
            int number,
            String etag,
            List<ObjectChecksum> checksums) {
        public PartSpec {
            if (number < 1 || number > PartInfo.MAX_NUMBER) {
                throw new IllegalArgumentException("part number " + number);
            }
            checksums = List.copyOf(checksums);
        }
    }

    record PutPart(ShardId shard, long timeMillis, PartSpec part, NewBody body) implements Request {
        @Override
        public V v() {
            return body.v();
        }

        @Override
        public Map<ShardId, Retained> claimed() {
            return claimedBy(body);
        }
    }

    record Abandon(ShardId shard, V v, long timeMillis, Set<ShardId> named) implements Request {
        public Abandon {
            named = Set.copyOf(named);
        }
    }

    record DeleteObject(
            ShardId shard,
            V v,
            long timeMillis,
            BucketId bucket,
            ObjectKey key,
            Precondition precondition,
            Deletion deletion)
            implements Request {}

    /** What is deleted. */
    sealed interface Deletion {
        /** What is current, as the bucket keeps versions. */
        record Current(Versioning versioning) implements Deletion {}

        record Version(VersionId id, boolean bypassGovernance) implements Deletion {}
    }

    /**
     * The version whose bytes a copy takes.
     *
     * @param v by which it is known that the null version is still the same
     */
    record Source(BucketId bucket, ObjectKey key, V v, VersionId id) {}

    /**
     * A version of a key.
     *
     * @param id empty for the current one
     */
    record VersionPlace(BucketId bucket, ObjectKey key, Optional<VersionId> id) {}

    /** The version gets these tags, and only these. */
    record TagObject(
            ShardId shard, V v, long timeMillis, VersionPlace place, SortedMap<String, String> tags)
            implements Request {
        public TagObject {
            tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
        }
    }

    /** The version gets this retention, or none. */
    record SetRetention(
            ShardId shard,
            V v,
            long timeMillis,
            VersionPlace place,
            Optional<Retention> retention,
            boolean bypassGovernance)
            implements Request {}

    record SetLegalHold(ShardId shard, V v, long timeMillis, VersionPlace place, boolean on)
            implements Request {}

    /** The version gets this access list. */
    record AclObject(ShardId shard, V v, long timeMillis, VersionPlace place, AccessList list)
            implements Request {}

    record CopyObject(
            ShardId shard,
            V v,
            long timeMillis,
            Source source,
            BucketId bucket,
            ObjectKey key,
            VersionSpec spec,
            Precondition precondition)
            implements Request {}

    record CopyPart(
            ShardId shard, V v, long timeMillis, Source source, PartSpec part, List<Piece> pieces)
            implements Request {
        public CopyPart {
            pieces = List.copyOf(pieces);
        }
    }

    record CreateUpload(
            ShardId shard,
            V v,
            long timeMillis,
            BucketId bucket,
            ObjectKey key,
            ObjectAttributes attributes,
            Optional<ChecksumAlgorithm> checksumAlgorithm,
            boolean compositeChecksum)
            implements Request {}

    record CompleteUpload(
            ShardId shard,
            V v,
            long timeMillis,
            BucketId bucket,
            ObjectKey key,
            V upload,
            List<SeenPart> parts,
            VersionSpec spec,
            Precondition precondition)
            implements Request {
        public CompleteUpload {
            parts = List.copyOf(parts);
            if (parts.size() > PartInfo.MAX_NUMBER) {
                throw new IllegalArgumentException(parts.size() + " parts");
            }
        }
    }

    record AbortUpload(
            ShardId shard, V v, long timeMillis, BucketId bucket, ObjectKey key, V upload)
            implements Request {}

    record SealBucket(ShardId shard, V v, long timeMillis, BucketId bucket) implements Request {}

    /**
     * Has a holder refer to chunks through the index that it has unindexed; all of them or none.
     *
     * @param rows all rows of its manifest that name one of them
     */
    record SwapReferences(
            ShardId shard,
            V v,
            long timeMillis,
            V holder,
            List<Swap> swaps,
            List<Integer> rows,
            Map<ShardId, Retained> claimed)
            implements Request {
        /** A row of 512 entries has 33 KiB, and no entry may write more than a mebibyte. */
        static final int MAX_ROWS = 24;

        static final int MAX_SWAPS = 1024;

        public SwapReferences {
            swaps = List.copyOf(swaps);
            rows = List.copyOf(rows);
            claimed = Map.copyOf(claimed);
            if (swaps.isEmpty() || swaps.size() > MAX_SWAPS) {
                throw new IllegalArgumentException(swaps.size() + " chunks to be swapped");
            }
            if (rows.isEmpty() || rows.size() > MAX_ROWS) {
                throw new IllegalArgumentException(rows.size() + " manifest rows");
            }
            if (rows.stream().distinct().count() != rows.size()
                    || swaps.stream().map(Swap::unindexed).distinct().count() != swaps.size()
                    || swaps.stream().map(Swap::fingerprint).distinct().count() != swaps.size()) {
                throw new IllegalArgumentException("a row or a chunk is named twice");
            }
        }
    }

    /** Never refused for age. */
    record Resolve(ShardId shard, V v, ShardId asking) implements MetadataCommand {}

    record RefuseEpoch(ShardId shard, int epoch) implements MetadataCommand {}

    record ForgetEpoch(ShardId shard, int epoch) implements MetadataCommand {}

    record AnnounceClosed(ShardId shard, int epoch, List<ContainerId> containers)
            implements MetadataCommand {
        static final int MAX_CONTAINERS = 1000;

        public AnnounceClosed {
            containers = List.copyOf(containers);
            if (containers.size() > MAX_CONTAINERS) {
                throw new IllegalArgumentException(containers.size() + " containers at once");
            }
        }
    }

    record Acknowledge(ShardId shard, List<StreamPosition> streams) implements MetadataCommand {
        public Acknowledge {
            streams = List.copyOf(streams);
        }
    }

    /** A step of what durable cursors have left. */
    record Work(ShardId shard, WorkSize size) implements MetadataCommand {
        /** Of the usual size. */
        Work(ShardId shard) {
            this(shard, WorkSize.USUAL);
        }
    }

    private static Map<ShardId, Retained> claimedBy(NewBody body) {
        return switch (body) {
            case NewBody.Inline inline -> Map.of();
            case NewBody.Holder holder -> holder.claimed();
        };
    }
}
