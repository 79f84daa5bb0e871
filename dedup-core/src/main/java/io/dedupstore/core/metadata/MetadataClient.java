package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.metadata.MetadataCommand.PartSpec;
import io.dedupstore.core.metadata.MetadataCommand.Source;
import io.dedupstore.core.metadata.MetadataCommand.VersionPlace;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.model.AccessList;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.ReplicationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The metadata service over replicated groups. Where a group gives no answer the same command, with
 * the same V, is sent again until the deadline: the shard answers a command that it has already
 * taken with the recorded outcome.
 */
public final class MetadataClient implements MetadataService {
    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LAST_PAUSE_MILLIS = 200;

    private final ShardMap map;
    private final LongSupplier clockMillis;
    private final Duration deadline;
    private final Pause pause;

    /** How a caller waits before it asks again. */
    @FunctionalInterface
    public interface Pause {
        /**
         * @return false when the caller should give up, as after an interrupt (which stays set)
         */
        boolean pass(long millis);
    }

    /**
     * @param clockMillis ms since 1970 UTC, proposed as commit time
     * @param deadline how long a call is repeated where there is no answer
     */
    public MetadataClient(ShardMap map, LongSupplier clockMillis, Duration deadline, Pause pause) {
        this.map = map;
        this.pause = pause;
        this.clockMillis = clockMillis;
        this.deadline = deadline;
    }

    @Override
    public ShardId shardOf(BucketId bucket, ObjectKey key) {
        return map.homeOf(bucket);
    }

    // ---- writing ----

    @Override
    public void sendRow(BucketId bucket, ObjectKey key, V v, int row, List<ManifestEntry> entries) {
        submit(new MetadataCommand.SendRow(shardOf(bucket, key), v, now(), row, entries));
    }

    @Override
    public void commitEarlier(BucketId bucket, ObjectKey key, NewBody.Holder holder) {
        submit(new MetadataCommand.CommitEarlier(shardOf(bucket, key), now(), bucket, key, holder));
    }

    @Override
    public ObjectVersion putObject(
            BucketId bucket,
            ObjectKey key,
            NewBody body,
            VersionSpec spec,
            Precondition precondition) {
        Reply reply =
                submit(
                        new MetadataCommand.PutObject(
                                shardOf(bucket, key),
                                now(),
                                bucket,
                                key,
                                body,
                                spec,
                                precondition));
        return version(key, body.v(), spec, reply);
    }

    private static ObjectVersion version(ObjectKey key, V v, VersionSpec spec, Reply reply) {
        return reply.hasVersion()
                ? Wire.version(key, reply.getVersion())
                : new ObjectVersion(
                        key,
                        v,
                        reply.getSize(),
                        spec.etag(),
                        reply.getTimeMillis(),
                        spec.attributes(),
                        spec.checksums(),
                        reply.getPartCount(),
                        Wire.id(reply.getSubject()),
                        false);
    }

    @Override
    public PartInfo putPart(
            BucketId bucket,
            ObjectKey key,
            V upload,
            int partNumber,
            NewBody body,
            String etag,
            List<ObjectChecksum> checksums) {
        PartSpec part = new PartSpec(bucket, key, upload, partNumber, etag, checksums);
        Reply reply = submit(new MetadataCommand.PutPart(shardOf(bucket, key), now(), part, body));
        return partInfo(part, body.v(), reply);
    }

    private static PartInfo partInfo(PartSpec part, V v, Reply reply) {
        return new PartInfo(
                part.number(),
                v,
                reply.getSize(),
                part.etag(),
                reply.getTimeMillis(),
                part.checksums());
    }

    @Override
    public void abandon(BucketId bucket, ObjectKey key, V v, Map<ShardId, Retained> claimed) {
        try {
            ShardId shard = shardOf(bucket, key);
            caller(shard).submit(new MetadataCommand.Abandon(shard, v, now(), claimed.keySet()));
        } catch (RuntimeException e) {
            // Best effort: what is left open is settled when the epoch closes.
            return;
        }
    }

    @Override
    public Deleted deleteObject(
            V v, BucketId bucket, ObjectKey key, Versioning versioning, Precondition precondition) {
        return delete(
                v, bucket, key, precondition, new MetadataCommand.Deletion.Current(versioning));
    }

    @Override
    public Deleted deleteVersion(
            V v,
            BucketId bucket,
            ObjectKey key,
            VersionId version,
            boolean bypassGovernance,
            Precondition precondition) {
        return delete(
                v,
                bucket,
                key,
                precondition,
                new MetadataCommand.Deletion.Version(version, bypassGovernance));
    }

    private Deleted delete(
            V v,
            BucketId bucket,
            ObjectKey key,
            Precondition precondition,
            MetadataCommand.Deletion deletion) {
        Reply reply =
                submit(
                        new MetadataCommand.DeleteObject(
                                shardOf(bucket, key),
                                v,
                                now(),
                                bucket,
                                key,
                                precondition,
                                deletion));
        boolean named =
                deletion instanceof MetadataCommand.Deletion.Version || reply.getDeleteMarker();
        return new Deleted(
                reply.getExisted(),
                named ? Optional.of(Wire.id(reply.getSubject())) : Optional.empty(),
                reply.getDeleteMarker());
    }

    @Override
    public VersionId tagObject(
            V v,
            BucketId bucket,
            ObjectKey key,
            Optional<VersionId> version,
            SortedMap<String, String> tags) {
        VersionPlace place = new VersionPlace(bucket, key, version);
        return change(new MetadataCommand.TagObject(shardOf(bucket, key), v, now(), place, tags));
    }

    @Override
    public VersionId setRetention(
            V v,
            BucketId bucket,
            ObjectKey key,
            Optional<VersionId> version,
            Optional<Retention> retention,
            boolean bypassGovernance) {
        VersionPlace place = new VersionPlace(bucket, key, version);
        return change(
                new MetadataCommand.SetRetention(
                        shardOf(bucket, key), v, now(), place, retention, bypassGovernance));
    }

    @Override
    public VersionId setLegalHold(
            V v, BucketId bucket, ObjectKey key, Optional<VersionId> version, boolean on) {
        VersionPlace place = new VersionPlace(bucket, key, version);
        return change(new MetadataCommand.SetLegalHold(shardOf(bucket, key), v, now(), place, on));
    }

    private VersionId change(MetadataCommand command) {
        return Wire.id(submit(command).getSubject());
    }

    @Override
    public VersionId setAcl(
            V v, BucketId bucket, ObjectKey key, Optional<VersionId> version, AccessList list) {
        VersionPlace place = new VersionPlace(bucket, key, version);
        return change(new MetadataCommand.AclObject(shardOf(bucket, key), v, now(), place, list));
    }

    @Override
    public ObjectVersion copyObject(
            V v,
            BucketId sourceBucket,
            ObjectVersion source,
            BucketId bucket,
            ObjectKey key,
            VersionSpec spec,
            Precondition precondition) {
        ShardId shard = requireOneShard(sourceBucket, source.key(), bucket, key);
        Source from = new Source(sourceBucket, source.key(), source.v(), source.id());
        Reply reply =
                submit(
                        new MetadataCommand.CopyObject(
                                shard, v, now(), from, bucket, key, spec, precondition));
        return version(key, v, spec, reply);
    }

    @Override
    public PartInfo copyPart(
            V v,
            BucketId sourceBucket,
            ObjectVersion source,
            BucketId bucket,
            ObjectKey key,
            V upload,
            int partNumber,
            Body body,
            String etag,
            List<ObjectChecksum> checksums) {
        ShardId shard = requireOneShard(sourceBucket, source.key(), bucket, key);
        Source from = new Source(sourceBucket, source.key(), source.v(), source.id());
        PartSpec part = new PartSpec(bucket, key, upload, partNumber, etag, checksums);
        Reply reply =
                submit(new MetadataCommand.CopyPart(shard, v, now(), from, part, Piece.of(body)));
        return partInfo(part, v, reply);
    }

    private ShardId requireOneShard(
            BucketId sourceBucket, ObjectKey sourceKey, BucketId bucket, ObjectKey key) {
        ShardId shard = shardOf(bucket, key);
        if (!shard.equals(shardOf(sourceBucket, sourceKey))) {
            throw new IllegalArgumentException(
                    "source and target of a copy are in different shards");
        }
        return shard;
    }

    // ---- multipart ----

    @Override
    public Upload createUpload(
            V v,
            BucketId bucket,
            ObjectKey key,
            ObjectAttributes attributes,
            Optional<ChecksumAlgorithm> checksumAlgorithm,
            boolean compositeChecksum) {
        Reply reply =
                submit(
                        new MetadataCommand.CreateUpload(
                                shardOf(bucket, key),
                                v,
                                now(),
                                bucket,
                                key,
                                attributes,
                                checksumAlgorithm,
                                compositeChecksum));
        return new Upload(
                v, key, reply.getTimeMillis(), attributes, checksumAlgorithm, compositeChecksum);
    }

    @Override
    public ObjectVersion completeUpload(
            V v,
            BucketId bucket,
            ObjectKey key,
            V upload,
            List<SeenPart> parts,
            VersionSpec spec,
            Precondition precondition) {
        Reply reply =
                submit(
                        new MetadataCommand.CompleteUpload(
                                shardOf(bucket, key),
                                v,
                                now(),
                                bucket,
                                key,
                                upload,
                                parts,
                                spec,
                                precondition));
        return version(key, v, spec, reply);
    }

    @Override
    public void abortUpload(V v, BucketId bucket, ObjectKey key, V upload) {
        submit(
                new MetadataCommand.AbortUpload(
                        shardOf(bucket, key), v, now(), bucket, key, upload));
    }

    @Override
    public Optional<Upload> findUpload(BucketId bucket, ObjectKey key, V upload) {
        return ask(bucket, shard -> shard.findUpload(bucket, key, upload));
    }

    @Override
    public Optional<ObjectVersion> findCompleted(BucketId bucket, ObjectKey key, V upload) {
        return ask(bucket, shard -> shard.findCompleted(bucket, key, upload));
    }

    @Override
    public List<PartInfo> listParts(
            BucketId bucket, ObjectKey key, V upload, int afterNumber, int limit) {
        return ask(bucket, shard -> shard.listParts(bucket, key, upload, afterNumber, limit));
    }

    @Override
    public UploadPage listUploads(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<UploadMarker> after,
            int limit) {
        return ask(bucket, shard -> shard.listUploads(bucket, prefix, delimiter, after, limit));
    }

    // ---- reading ----

    @Override
    public Optional<ObjectVersion> findObject(BucketId bucket, ObjectKey key) {
        return ask(bucket, shard -> shard.findObject(bucket, key));
    }

    @Override
    public Optional<ObjectVersion> findVersion(
            BucketId bucket, ObjectKey key, Optional<VersionId> version) {
        return ask(bucket, shard -> shard.findVersion(bucket, key, version));
    }

    @Override
    public Optional<Stored> openObject(BucketId bucket, ObjectKey key) {
        return ask(bucket, shard -> shard.openObject(bucket, key));
    }

    @Override
    public Optional<Stored> openVersion(
            BucketId bucket, ObjectKey key, Optional<VersionId> version) {
        return ask(bucket, shard -> shard.openVersion(bucket, key, version));
    }

    @Override
    public Optional<ManifestStretch> readManifest(
            BucketId bucket, ObjectKey key, V holder, long offset) {
        return ask(bucket, shard -> shard.readManifest(holder, offset));
    }

    @Override
    public ListPage listObjects(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<String> after,
            int limit) {
        return ask(bucket, shard -> shard.listObjects(bucket, prefix, delimiter, after, limit));
    }

    @Override
    public VersionPage listVersions(
            BucketId bucket,
            String prefix,
            Optional<String> delimiter,
            Optional<VersionMarker> after,
            int limit) {
        return ask(bucket, shard -> shard.listVersions(bucket, prefix, delimiter, after, limit));
    }

    // ---- buckets ----

    @Override
    public void sealBucket(V v, BucketId bucket) {
        submit(new MetadataCommand.SealBucket(map.homeOf(bucket), v, now(), bucket));
    }

    @Override
    public BucketUsage usage(BucketId bucket) {
        return ask(bucket, shard -> shard.usage(bucket));
    }

    /** Sums over all buckets of a shard. */
    public ShardTotals totals(ShardId shard) {
        return ask(shard, MetadataQueries::totals);
    }

    // ---- calling ----

    private long now() {
        return clockMillis.getAsLong();
    }

    private ShardCaller caller(ShardId shard) {
        return new ShardCaller(shard, map.groupOf(shard));
    }

    private <T> T ask(BucketId bucket, Function<MetadataQueries, T> question) {
        return ask(map.homeOf(bucket), question);
    }

    private <T> T ask(ShardId shard, Function<MetadataQueries, T> question) {
        Function<KvReader, T> query = rows -> MetadataQueries.over(rows, shard, question);
        return repeat(() -> caller(shard).read(query));
    }

    private Reply submit(MetadataCommand command) {
        byte[] encoded = CommandEncoder.encode(command);
        return repeat(() -> caller(command.shard()).submit(encoded));
    }

    private interface Call<T> {
        T run();
    }

    private <T> T repeat(Call<T> call) {
        long end = now() + deadline.toMillis();
        long millis = FIRST_PAUSE_MILLIS;
        while (true) {
            try {
                return call.run();
            } catch (MetadataException e) {
                boolean noAnswer = e.getCause() instanceof ReplicationException;
                if (!noAnswer || now() >= end || !pause.pass(millis)) {
                    throw e;
                }
                millis = Math.min(2 * millis, LAST_PAUSE_MILLIS);
            }
        }
    }
}
