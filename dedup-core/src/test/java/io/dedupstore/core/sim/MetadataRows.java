package io.dedupstore.core.sim;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.metadata.MetadataProto;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reaches into the rows of metadata shard 0, to plant bugs. */
final class MetadataRows {
    private static final Table TABLE = new Table("metadata", Table.Profile.SCAN);
    private static final byte[] SHARD = {0, 0, 'S'};
    private static final int FIRST_INTERNAL = 30;

    private MetadataRows() {}

    /** Whether a command is a gateway's, which epochs fence. */
    static boolean isRequest(byte[] command) {
        try {
            ByteBuffer message = ByteBuffer.wrap(command, 1, command.length - 1);
            int kind = MetadataProto.Command.parseFrom(message).getWhatCase().getNumber();
            return kind < FIRST_INTERNAL;
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** Applies as if no epoch were refused. */
    static byte[] withoutRefusedEpoch(KvTransaction rows, Supplier<byte[]> apply) {
        byte[] before = rows.get(TABLE, SHARD);
        if (before == null) {
            return apply.get();
        }
        int refused = row(before).getRefusedEpoch();
        rows.put(TABLE, SHARD, bytes(before[0], row(before), 0));
        byte[] reply = apply.get();
        byte @Nullable [] after = rows.get(TABLE, SHARD);
        if (after != null) {
            rows.put(TABLE, SHARD, bytes(after[0], row(after), refused));
        }
        return reply;
    }

    private static MetadataProto.ShardRow row(byte[] value) {
        try {
            return MetadataProto.ShardRow.parseFrom(ByteBuffer.wrap(value, 1, value.length - 1));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(byte format, MetadataProto.ShardRow row, int refusedEpoch) {
        byte[] message = row.toBuilder().setRefusedEpoch(refusedEpoch).build().toByteArray();
        return ByteBuffer.allocate(1 + message.length).put(format).put(message).array();
    }
}
