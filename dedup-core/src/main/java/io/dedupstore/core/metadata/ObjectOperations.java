package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.Refusal;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Commands on objects and buckets. Each checks everything, throwing {@link Refused}, before it
 * writes anything.
 */
final class ObjectOperations {
    private final ShardEntry entry;
    private final RowWriter rows;
    private final Bodies bodies;
    private final Versions versions;

    ObjectOperations(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
        this.bodies = new Bodies(entry);
        this.versions = new Versions(entry);
    }

    /** One row of a manifest whose attempt has not committed; rows come in order. */
    Reply sendRow(MetadataCommand.SendRow command) {
        V v = command.v();
        MetadataProto.EarlyRow early = rows.early(v);
        int next = early == null ? 0 : early.getRowBytesCount();
        if (command.row() < next) {
            return Replies.ok();
        }
        int size = command.entries().size();
        if (command.row() > next
                || size != MetadataService.MANIFEST_ROW_ENTRIES
                || (next + 1) * size > MetadataService.MAX_HOLDER_CHUNKS) {
            throw new Refused(
                    Refusal.ABORTED,
                    "row %d of %s with %d entries, after %d rows"
                            .formatted(command.row(), v, size, next));
        }
        long bytes = command.entries().stream().mapToLong(entry -> entry.length()).sum();
        rows.putManifest(v, next, command.entries());
        MetadataProto.EarlyRow.Builder row =
                early == null ? MetadataProto.EarlyRow.newBuilder() : early.toBuilder();
        rows.put(rows.keys.of(RowKeys.Kind.EARLY, v), row.addRowBytes(bytes).build());
        return Replies.ok();
    }

    /**
     * Installs a holder that no version names yet. It takes the earlier ones of its write along, so
     * that a write that goes on outlives the epoch it began in.
     */
    Reply commitEarlier(MetadataCommand.CommitEarlier command) {
        NewBody.Holder holder = command.holder();
        requireOpen(command.bucket());
        BodySize before = bodies.earlier(holder, new ArrayList<>());
        Holders holders = new Holders(entry);
        Holders.Checked checked =
                holders.check(holder, command.bucket(), holder.size() - before.bytes());
        holders.install(checked);
        bodies.takeInvisible(holder);
        MetadataProto.InvisibleRow.Builder row = MetadataProto.InvisibleRow.newBuilder();
        holder.earlier().forEach(v -> row.addHolders(Wire.bytes(v)));
        row.addHolders(Wire.bytes(holder.v()));
        rows.put(rows.keys.of(RowKeys.Kind.INVISIBLE, holder.v()), row.build());
        return Replies.ok();
    }

    Reply put(MetadataCommand.PutObject command) {
        requireOpen(command.bucket());
        MetadataProto.ObjectRow old = rows.object(command.bucket(), command.key());
        require(command.precondition(), command.key(), old);
        Bodies.Checked body = bodies.check(command.body(), command.bucket());
        return install(command.v(), command.bucket(), command.key(), old, body, command.spec(), 0);
    }

    Reply copy(MetadataCommand.CopyObject command) {
        requireOpen(command.bucket());
        MetadataProto.ObjectRow old = rows.object(command.bucket(), command.key());
        require(command.precondition(), command.key(), old);
        MetadataProto.ObjectRow source = source(command.source());
        Bodies.Checked body = bodies.share(command.v(), source.getBody());
        return install(
                command.v(),
                command.bucket(),
                command.key(),
                old,
                body,
                command.spec(),
                source.getVersion().getPartCount());
    }

    /** The version a copy reads, if it is still there. */
    MetadataProto.ObjectRow source(MetadataCommand.Source source) {
        VersionRows.Found found =
                new VersionRows(rows).find(source.bucket(), source.key(), Optional.of(source.id()));
        if (found == null
                || found.isDeleteMarker()
                || !Wire.v(found.row().getVersion().getV()).equals(source.v())) {
            throw new Refused(
                    Refusal.SOURCE_CHANGED,
                    "version " + source.v() + " of " + source.key() + " is not there any more");
        }
        return found.row();
    }

    /**
     * Makes the new current version.
     *
     * @param old the one that is current
     */
    Reply install(
            V v,
            BucketId bucket,
            ObjectKey key,
            MetadataProto.@Nullable ObjectRow old,
            Bodies.Checked checked,
            VersionSpec spec,
            int partCount) {
        Versions.Displaced displaced =
                versions.displaced(bucket, key, old, spec.keeping().versioning());
        MetadataProto.BodyRow body = checked.install();
        ObjectLock lock = spec.keeping().lockOf(spec.attributes(), entry.nowMillis());
        ObjectVersion made =
                new ObjectVersion(
                        key,
                        v,
                        body.getSize(),
                        spec.etag(),
                        entry.nowMillis(),
                        spec.attributes().withLock(lock),
                        spec.checksums(),
                        partCount,
                        VersionId.NULL,
                        false);
        MetadataProto.Version version = versions.placed(Wire.version(made), displaced.versioning());
        versions.install(
                bucket,
                key,
                displaced,
                MetadataProto.ObjectRow.newBuilder().setVersion(version).setBody(body).build());
        return Replies.about(Wire.id(version)).toBuilder()
                .setTimeMillis(entry.nowMillis())
                .setSize(body.getSize())
                .setPartCount(partCount)
                .build();
    }

    Reply delete(MetadataCommand.DeleteObject command) {
        requireOpen(command.bucket());
        return switch (command.deletion()) {
            case MetadataCommand.Deletion.Current(Versioning versioning) ->
                    deleteCurrent(command, versioning);
            case MetadataCommand.Deletion.Version(VersionId id, boolean bypass) ->
                    deleteVersion(command, id, bypass);
        };
    }

    private Reply deleteCurrent(MetadataCommand.DeleteObject command, Versioning said) {
        BucketId bucket = command.bucket();
        ObjectKey key = command.key();
        MetadataProto.ObjectRow old = rows.object(bucket, key);
        require(command.precondition(), key, old);
        Versions.Displaced displaced = versions.displaced(bucket, key, old, said);
        if (displaced.versioning() == Versioning.NEVER) {
            if (old == null) {
                return Replies.ok();
            }
            versions.removeCurrent(bucket, key, old);
            return Reply.newBuilder().setExisted(true).build();
        }
        MetadataProto.Version marker = versions.mark(bucket, key, command.v(), displaced);
        return Replies.about(Wire.id(marker)).toBuilder()
                .setExisted(old != null)
                .setDeleteMarker(true)
                .build();
    }

    private Reply deleteVersion(
            MetadataCommand.DeleteObject command, VersionId id, boolean bypassGovernance) {
        VersionRows.Found found =
                new VersionRows(rows).find(command.bucket(), command.key(), Optional.of(id));
        boolean marker = found != null && found.isDeleteMarker();
        // A delete marker is no object to a client, but it was made by somebody.
        boolean counts = !marker || command.precondition() instanceof Precondition.MadeBy;
        require(
                command.precondition(),
                command.key(),
                found != null && counts ? found.row() : null);
        if (found == null) {
            return Replies.about(id);
        }
        versions.requireUnlocked(found.row(), bypassGovernance);
        versions.remove(command.bucket(), command.key(), found);
        return Replies.about(id).toBuilder().setExisted(!marker).setDeleteMarker(marker).build();
    }

    Reply seal(MetadataCommand.SealBucket command) {
        MetadataProto.BucketRow.Builder bucket = entry.bucket(command.bucket());
        if (bucket.getSealed()) {
            return Replies.ok();
        }
        if (bucket.getObjects() > 0
                || bucket.getNoncurrentVersions() > 0
                || bucket.getDeleteMarkers() > 0) {
            throw new Refused(
                    Refusal.BUCKET_NOT_EMPTY,
                    "the bucket holds %d objects, %d other versions, %d delete markers"
                            .formatted(
                                    bucket.getObjects(),
                                    bucket.getNoncurrentVersions(),
                                    bucket.getDeleteMarkers()));
        }
        bucket.setSealed(true);
        if (bucket.getUploads() > 0) {
            entry.discard(
                    MetadataProto.GarbageRow.newBuilder()
                            .setBucketUploads(command.bucket().value())
                            .build());
        }
        return Replies.ok();
    }

    void requireOpen(BucketId bucket) {
        if (entry.bucket(bucket).getSealed()) {
            throw new Refused(Refusal.NO_SUCH_BUCKET, "the bucket has been deleted");
        }
    }

    /**
     * @param there the object that is meant, if there is one
     */
    void require(
            Precondition precondition, ObjectKey key, MetadataProto.@Nullable ObjectRow there) {
        switch (precondition) {
            case Precondition.None() -> {}
            case Precondition.Absent() -> require(there == null, "there is an object " + key);
            case Precondition.Present() -> requireThere(there, key);
            case Precondition.EtagIs(String etag) ->
                    require(
                            requireThere(there, key).getEtag().equals(etag),
                            key + " has another ETag");
            case Precondition.Matches matches -> requireMatch(matches, key, there);
            case Precondition.MadeBy(V v) ->
                    require(
                            requireThere(there, key).getV().equals(Wire.bytes(v)),
                            key + " is not what it was");
        }
    }

    private static void requireMatch(
            Precondition.Matches wanted, ObjectKey key, MetadataProto.@Nullable ObjectRow there) {
        wanted.etag()
                .ifPresent(
                        etag ->
                                require(
                                        requireThere(there, key).getEtag().equals(etag)
                                                || etag.equals("*"),
                                        key + " has another ETag"));
        if (there == null) {
            return;
        }
        MetadataProto.Version version = there.getVersion();
        wanted.modifiedSeconds()
                .ifPresent(
                        seconds ->
                                require(
                                        version.getModifiedMillis() / 1000 == seconds,
                                        key + " was modified at another time"));
        wanted.size()
                .ifPresent(size -> require(version.getSize() == size, key + " has another size"));
    }

    private static MetadataProto.Version requireThere(
            MetadataProto.@Nullable ObjectRow there, ObjectKey key) {
        if (there == null) {
            throw new Refused(Refusal.NO_SUCH_KEY, "there is no object " + key);
        }
        return there.getVersion();
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new Refused(Refusal.PRECONDITION_FAILED, otherwise);
        }
    }
}
