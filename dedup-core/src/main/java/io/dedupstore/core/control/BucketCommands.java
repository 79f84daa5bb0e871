package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import io.dedupstore.core.control.ControlProto.AccountRow;
import io.dedupstore.core.control.ControlProto.BucketConfigurationRow;
import io.dedupstore.core.control.ControlProto.BucketRow;
import io.dedupstore.core.control.ControlProto.Reply;
import io.dedupstore.core.control.ControlRows.Counter;
import io.dedupstore.core.control.ControlRows.Kind;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.model.Bytes;
import java.util.ArrayList;
import java.util.List;

/** Bucket names. What a bucket holds is known to its metadata shard only. */
final class BucketCommands {
    static final String MAX_PER_ACCOUNT_SETTING = "buckets.max-per-account";
    static final int DEFAULT_MAX_PER_ACCOUNT = 10_000;

    private BucketCommands() {}

    static void apply(
            KvTransaction rows, ControlCommand.CreateBucket command, Reply.Builder reply) {
        AccountRow owner = AccountCommands.account(rows, command.owner());
        byte[] key = ControlRows.key(Kind.BUCKET, command.name());
        BucketRow before = ControlRows.get(rows, key, BucketRow.parser());
        if (before != null) {
            refuseDuplicate(before, command);
        }
        if (owner.getBuckets() >= maxPerAccount(rows)) {
            throw new Refusal(
                    ControlException.Code.TOO_MANY_BUCKETS,
                    "account %s has %d buckets".formatted(owner.getId(), owner.getBuckets()));
        }
        BucketRow bucket =
                BucketRow.newBuilder()
                        .setId(ControlRows.increment(rows, Counter.LAST_BUCKET))
                        .setName(command.name())
                        .setOwner(command.owner())
                        .setDomain(owner.getDomain())
                        .setChunking(command.chunking())
                        .setCompression(command.compression())
                        .setRegion(command.region())
                        .setCreatedMillis(command.createdMillis())
                        .build();
        ControlRows.put(rows, key, bucket);
        ControlRows.putText(
                rows, ControlRows.key(Kind.BUCKET_NAME, bucket.getId()), bucket.getName());
        command.configurations()
                .forEach(
                        (name, document) ->
                                putConfiguration(
                                        rows,
                                        bucket.getId(),
                                        name,
                                        document,
                                        command.createdMillis()));
        count(rows, owner, 1);
        reply.setBucket(bucket);
    }

    static void apply(KvTransaction rows, ControlCommand.DropBucket command) {
        byte[] idKey = ControlRows.key(Kind.BUCKET_NAME, command.bucket().value());
        String name = ControlRows.text(rows, idKey);
        if (name == null) {
            return;
        }
        byte[] key = ControlRows.key(Kind.BUCKET, name);
        BucketRow bucket = ControlRows.get(rows, key, BucketRow.parser());
        if (bucket == null || bucket.getId() != command.bucket().value()) {
            throw new IllegalStateException(
                    "bucket %d and its name %s do not know each other"
                            .formatted(command.bucket().value(), name));
        }
        ControlRows.delete(rows, key);
        ControlRows.delete(rows, idKey);
        dropConfigurations(rows, command.bucket().value());
        count(rows, AccountCommands.account(rows, bucket.getOwner()), -1);
    }

    static void apply(KvTransaction rows, ControlCommand.SetBucketConfiguration command) {
        long bucket = command.bucket().value();
        byte[] idKey = ControlRows.key(Kind.BUCKET_NAME, bucket);
        if (ControlRows.text(rows, idKey) == null) {
            throw new Refusal(ControlException.Code.NO_SUCH_BUCKET, "there is no bucket " + bucket);
        }
        byte[] key = ControlRows.key(Kind.BUCKET_CONFIGURATION, bucket, command.name());
        if (command.document().isEmpty()) {
            ControlRows.delete(rows, key);
            return;
        }
        putConfiguration(
                rows, bucket, command.name(), command.document().get(), command.changedMillis());
    }

    private static void putConfiguration(
            KvTransaction rows, long bucket, String name, ByteString document, long millis) {
        ControlRows.put(
                rows,
                ControlRows.key(Kind.BUCKET_CONFIGURATION, bucket, name),
                BucketConfigurationRow.newBuilder()
                        .setBucket(bucket)
                        .setName(name)
                        .setDocument(document)
                        .setChangedMillis(millis)
                        .build());
    }

    private static void dropConfigurations(KvTransaction rows, long bucket) {
        byte[] prefix = ControlRows.key(Kind.BUCKET_CONFIGURATION, bucket);
        List<byte[]> keys = new ArrayList<>();
        try (KvCursor cursor =
                rows.scan(ControlRows.TABLE, prefix, Bytes.successorOfPrefix(prefix))) {
            while (cursor.next()) {
                keys.add(cursor.key());
            }
        }
        keys.forEach(key -> ControlRows.delete(rows, key));
    }

    private static void refuseDuplicate(BucketRow before, ControlCommand.CreateBucket command) {
        boolean own = before.getOwner().equals(command.owner());
        throw new Refusal(
                own
                        ? ControlException.Code.BUCKET_EXISTS_OWNED_BY_YOU
                        : ControlException.Code.BUCKET_EXISTS,
                "bucket " + command.name() + " exists");
    }

    private static int maxPerAccount(KvReader rows) {
        String setting =
                ControlRows.text(rows, ControlRows.key(Kind.SETTING, MAX_PER_ACCOUNT_SETTING));
        return setting != null && setting.matches("[0-9]{1,6}")
                ? Integer.parseInt(setting)
                : DEFAULT_MAX_PER_ACCOUNT;
    }

    private static void count(KvTransaction rows, AccountRow owner, int change) {
        ControlRows.put(
                rows,
                ControlRows.key(Kind.ACCOUNT, owner.getId()),
                owner.toBuilder().setBuckets(owner.getBuckets() + change).build());
    }
}
