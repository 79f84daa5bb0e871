package io.dedupstore.core.metadata;

import io.dedupstore.core.metadata.MetadataProto.Refusal;
import io.dedupstore.core.metadata.MetadataProto.Reply;
import io.dedupstore.core.metadata.MetadataService.VersionSpec;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.V;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Commands on objects and buckets. Each checks everything, throwing {@link Refused}, before it
 * writes anything.
 */
final class ObjectOperations {
    private final ShardEntry entry;
    private final RowWriter rows;
    private final Bodies bodies;

    ObjectOperations(ShardEntry entry) {
        this.entry = entry;
        this.rows = entry.rows();
        this.bodies = new Bodies(entry);
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
        MetadataProto.ObjectRow row = rows.object(source.bucket(), source.key());
        if (row == null || !Wire.v(row.getVersion().getV()).equals(source.v())) {
            throw new Refused(
                    Refusal.SOURCE_CHANGED,
                    source.key() + " is not version " + source.v() + " any more");
        }
        return row;
    }

    /** Replaces the current version; what the old one used loses a use. */
    Reply install(
            V v,
            BucketId bucket,
            ObjectKey key,
            MetadataProto.@Nullable ObjectRow old,
            Bodies.Checked checked,
            VersionSpec spec,
            int partCount) {
        MetadataProto.BodyRow body = checked.install();
        ObjectVersion version =
                new ObjectVersion(
                        key,
                        v,
                        body.getSize(),
                        spec.etag(),
                        entry.nowMillis(),
                        spec.attributes(),
                        spec.checksums(),
                        partCount);
        rows.putObject(
                bucket,
                key,
                old,
                MetadataProto.ObjectRow.newBuilder()
                        .setVersion(Wire.version(version))
                        .setBody(body)
                        .build());
        entry.countBody(bucket, BodySize.of(body));
        if (old == null) {
            entry.countObjects(bucket, 1);
        } else {
            entry.countBody(bucket, BodySize.of(old.getBody()).negated());
            bodies.discard(old.getBody());
        }
        return Reply.newBuilder()
                .setTimeMillis(entry.nowMillis())
                .setSize(body.getSize())
                .setPartCount(partCount)
                .build();
    }

    Reply delete(MetadataCommand.DeleteObject command) {
        requireOpen(command.bucket());
        MetadataProto.ObjectRow old = rows.object(command.bucket(), command.key());
        require(command.precondition(), command.key(), old);
        if (old == null) {
            return Replies.ok();
        }
        rows.putObject(command.bucket(), command.key(), old, null);
        entry.countBody(command.bucket(), BodySize.of(old.getBody()).negated());
        entry.countObjects(command.bucket(), -1);
        bodies.discard(old.getBody());
        return Reply.newBuilder().setExisted(true).build();
    }

    Reply tag(MetadataCommand.TagObject command) {
        requireOpen(command.bucket());
        MetadataProto.ObjectRow old = rows.object(command.bucket(), command.key());
        if (old == null) {
            throw new Refused(Refusal.NO_SUCH_KEY, "there is no object " + command.key());
        }
        MetadataProto.ObjectRow.Builder tagged = old.toBuilder();
        tagged.getVersionBuilder()
                .getAttributesBuilder()
                .clearTags()
                .addAllTags(Wire.fields(command.tags()));
        rows.putObject(command.bucket(), command.key(), old, tagged.build());
        return Replies.ok();
    }

    Reply seal(MetadataCommand.SealBucket command) {
        MetadataProto.BucketRow.Builder bucket = entry.bucket(command.bucket());
        if (bucket.getSealed()) {
            return Replies.ok();
        }
        if (bucket.getObjects() > 0) {
            throw new Refused(Refusal.BUCKET_NOT_EMPTY, "the bucket holds " + bucket.getObjects());
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

    void require(
            Precondition precondition, ObjectKey key, MetadataProto.@Nullable ObjectRow current) {
        boolean there = current != null;
        switch (precondition) {
            case Precondition.None() -> {}
            case Precondition.Absent() -> require(!there, "there is an object " + key);
            case Precondition.Present() -> requireThere(there, key);
            case Precondition.EtagIs(String etag) -> {
                requireThere(there, key);
                require(
                        current != null && current.getVersion().getEtag().equals(etag),
                        key + " has another ETag");
            }
        }
    }

    private static void requireThere(boolean there, ObjectKey key) {
        if (!there) {
            throw new Refused(Refusal.NO_SUCH_KEY, "there is no object " + key);
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new Refused(Refusal.PRECONDITION_FAILED, otherwise);
        }
    }
}
