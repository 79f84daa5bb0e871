package io.dedupstore.core.index;

import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import io.dedupstore.core.state.Inbox;
import io.dedupstore.core.state.Outbox;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Tables and keys of the index; {@code docs/formats/index.md}. Every key starts with the shard. */
final class IndexTables {
    static final Table UNIQUE = new Table("index-unique", Table.Profile.POINT);
    static final Table DUPLICATE = new Table("index-duplicate", Table.Profile.POINT);
    static final Table ZOMBIES = new Table("index-zombies", Table.Profile.QUEUE);
    static final Table GHOSTS = new Table("index-ghosts", Table.Profile.POINT);
    static final Table INTENTS = new Table("index-intents", Table.Profile.QUEUE);
    static final Table ANSWERS = new Table("index-answers", Table.Profile.ONCE);
    static final Table SETTLING = new Table("index-settling", Table.Profile.QUEUE);
    static final Table TOMBSTONES = new Table("index-tombstones", Table.Profile.QUEUE);
    static final Table STATE = new Table("index-state", Table.Profile.QUEUE);

    static final List<Table> ALL = all();

    static final byte[] NOTHING = new byte[0];

    private static final int SHARD_BYTES = 2;
    private static final byte STATE_ROW = 0;
    private static final byte HISTOGRAM_ROW = 1;
    private static final byte AUDIT_ROW = 2;
    private static final byte SOURCE_ROW = 3;

    private IndexTables() {}

    private static List<Table> all() {
        List<Table> all =
                new ArrayList<>(
                        List.of(
                                UNIQUE,
                                DUPLICATE,
                                ZOMBIES,
                                GHOSTS,
                                INTENTS,
                                ANSWERS,
                                SETTLING,
                                TOMBSTONES,
                                STATE));
        all.addAll(Outbox.TABLES);
        all.add(Inbox.TABLE);
        return List.copyOf(all);
    }

    static byte[] prefix(ShardId shard) {
        return ByteBuffer.allocate(SHARD_BYTES).putShort((short) shard.number()).array();
    }

    static byte[] key(byte[] prefix, Fingerprint fingerprint) {
        ByteBuffer key = ByteBuffer.allocate(SHARD_BYTES + Fingerprint.BYTES).put(prefix);
        fingerprint.write(key);
        return key.array();
    }

    static byte[] key(byte[] prefix, V v) {
        return Bytes.concat(prefix, v.toBytes());
    }

    static byte[] key(byte[] prefix, V v, Fingerprint fingerprint) {
        ByteBuffer key = ByteBuffer.allocate(SHARD_BYTES + V.BYTES + Fingerprint.BYTES).put(prefix);
        v.write(key);
        fingerprint.write(key);
        return key.array();
    }

    static byte[] stateKey(byte[] prefix) {
        return Bytes.concat(prefix, new byte[] {STATE_ROW});
    }

    static byte[] histogramKey(byte[] prefix, int bucket) {
        return Bytes.concat(prefix, new byte[] {HISTOGRAM_ROW, (byte) bucket});
    }

    static byte[] auditKey(byte[] prefix) {
        return Bytes.concat(prefix, new byte[] {AUDIT_ROW});
    }

    /** What one metadata shard's stream has told. */
    static byte[] sourceKey(byte[] prefix, ShardId source) {
        return ByteBuffer.allocate(SHARD_BYTES + 1 + SHARD_BYTES)
                .put(prefix)
                .put(SOURCE_ROW)
                .putShort((short) source.number())
                .array();
    }

    /** The key of a pruned entry's fingerprint, cut to its first 8 bytes. */
    static byte[] ghostKey(byte[] prefix, Fingerprint fingerprint) {
        return ByteBuffer.allocate(SHARD_BYTES + Long.BYTES)
                .put(prefix)
                .putLong(fingerprint.w0())
                .array();
    }

    static V vOf(byte[] key) {
        return V.read(ByteBuffer.wrap(key).position(SHARD_BYTES));
    }

    /** The fingerprint that a key ends with. */
    static Fingerprint fingerprintOf(byte[] key) {
        return Fingerprint.read(ByteBuffer.wrap(key).position(key.length - Fingerprint.BYTES));
    }
}
