package io.dedupstore.core.sim;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.metadata.MetadataProto;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.V;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reaches into rows and commands of metadata shard 0, to look deeper than queries do and to plant
 * bugs.
 */
final class MetadataRows {
    private static final Table TABLE = new Table("metadata", Table.Profile.SCAN);
    private static final Table OBJECTS = new Table("objects", Table.Profile.SCAN);
    private static final byte[] SHARD = {0, 0, 'S'};
    private static final int KIND_BYTES = 3;
    private static final byte FORMAT = 1;
    private static final int FIRST_INTERNAL = 30;
    private static final char FATE = 'F';
    private static final char EARLY = 'E';
    private static final char INSTALL = 'A';
    private static final char INVISIBLE = 'I';
    private static final char RELEASED = 'D';
    private static final char GARBAGE = 'G';

    private MetadataRows() {}

    // ---- forms ----

    static MetadataProto.Command command(byte[] bytes) {
        return parse(MetadataProto.Command.parser(), bytes);
    }

    static MetadataProto.Reply reply(byte[] bytes) {
        return parse(MetadataProto.Reply.parser(), bytes);
    }

    static V v(ByteString bytes) {
        return V.of(bytes.toByteArray());
    }

    static ByteString bytes(V v) {
        return ByteString.copyFrom(v.toBytes());
    }

    static byte[] bytes(byte format, MessageLite message) {
        return Bytes.concat(new byte[] {format}, message.toByteArray());
    }

    private static <M> M parse(Parser<M> parser, byte[] value) {
        try {
            return parser.parseFrom(ByteBuffer.wrap(value, 1, value.length - 1));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] key(char kind) {
        return new byte[] {0, 0, (byte) kind};
    }

    private static byte[] key(char kind, V v) {
        return Bytes.concat(key(kind), v.toBytes());
    }

    private static void forEach(
            KvReader rows, Table table, byte[] prefix, BiConsumer<byte[], byte[]> visitor) {
        byte[] end = prefix.length == 0 ? null : Bytes.successorOfPrefix(prefix);
        try (KvCursor cursor = rows.scan(table, prefix, end)) {
            while (cursor.next()) {
                visitor.accept(cursor.key(), cursor.value());
            }
        }
    }

    // ---- to look ----

    /** Holders that are in use, by whomever. */
    static Set<V> holdersInUse(KvReader rows) {
        Set<V> holders = new HashSet<>();
        forEach(
                rows,
                TABLE,
                key('H'),
                (key, value) -> {
                    if (parse(MetadataProto.HolderRow.parser(), value).getUses() > 0) {
                        holders.add(V.read(ByteBuffer.wrap(key, KIND_BYTES, V.BYTES)));
                    }
                });
        return holders;
    }

    /** All holders, also those that nothing uses any more but that are not yet released. */
    static Set<V> holders(KvReader rows) {
        Set<V> holders = new HashSet<>();
        forEach(
                rows,
                TABLE,
                key('H'),
                (key, value) -> holders.add(V.read(ByteBuffer.wrap(key, KIND_BYTES, V.BYTES))));
        return holders;
    }

    /** Current objects, other versions and delete markers. */
    private static void forEachVersion(KvReader rows, Consumer<MetadataProto.ObjectRow> visitor) {
        BiConsumer<byte[], byte[]> visit =
                (key, value) -> visitor.accept(parse(MetadataProto.ObjectRow.parser(), value));
        forEach(rows, OBJECTS, new byte[0], visit);
        forEach(rows, TABLE, key('V'), visit);
    }

    /** Holders that versions refer to. */
    static Set<V> heldByVersions(KvReader rows) {
        Set<V> holders = new HashSet<>();
        forEachVersion(
                rows,
                row ->
                        row.getBody()
                                .getPiecesList()
                                .forEach(piece -> holders.add(v(piece.getRange().getHolder()))));
        return holders;
    }

    /** Whether the fate of any attempt is known. */
    static boolean hasFates(KvReader rows) {
        return count(rows, FATE) > 0;
    }

    private static int count(KvReader rows, char kind) {
        int[] count = {0};
        forEach(rows, TABLE, key(kind), (key, value) -> count[0]++);
        return count[0];
    }

    /** Kinds of rows that do not outlive attempts and background work, with how many there are. */
    static Map<Character, Integer> leftovers(KvReader rows) {
        Map<Character, Integer> left = new TreeMap<>();
        for (char kind : new char[] {FATE, EARLY, INSTALL, INVISIBLE, RELEASED, GARBAGE}) {
            int count = count(rows, kind);
            if (count > 0) {
                left.put(kind, count);
            }
        }
        return left;
    }

    /** Holders that the parts of an upload refer to. */
    static Set<V> holdersOfParts(KvReader rows, V upload) {
        Set<V> holders = new HashSet<>();
        forEach(
                rows,
                TABLE,
                key('P', upload),
                (key, value) ->
                        parse(MetadataProto.PartRow.parser(), value)
                                .getBody()
                                .getPiecesList()
                                .forEach(piece -> holders.add(v(piece.getRange().getHolder()))));
        return holders;
    }

    /** Holders that versions refer to which are not current. */
    static Set<V> heldAside(KvReader rows) {
        Set<V> holders = new HashSet<>();
        forEach(
                rows,
                TABLE,
                key('V'),
                (key, value) ->
                        parse(MetadataProto.ObjectRow.parser(), value)
                                .getBody()
                                .getPiecesList()
                                .forEach(piece -> holders.add(v(piece.getRange().getHolder()))));
        return holders;
    }

    /** Attempts that made a version which is there. */
    static Set<V> versions(KvReader rows) {
        Set<V> versions = new HashSet<>();
        forEachVersion(rows, row -> versions.add(v(row.getVersion().getV())));
        return versions;
    }

    static MetadataProto.FateRow.Fate fate(KvReader rows, V v) {
        byte[] row = rows.get(TABLE, key(FATE, v));
        return row == null
                ? MetadataProto.FateRow.Fate.UNKNOWN
                : parse(MetadataProto.FateRow.parser(), row).getFate();
    }

    /** Whether a command is a gateway's, which epochs fence. */
    static boolean isRequest(byte[] command) {
        return command(command).getWhatCase().getNumber() < FIRST_INTERNAL;
    }

    // ---- to plant bugs ----

    static void forgetFate(KvTransaction rows, V v) {
        rows.delete(TABLE, key(FATE, v));
    }

    static void forgetFates(KvTransaction rows, int epoch) {
        Altered.deleteWhere(
                rows,
                TABLE,
                key(FATE),
                (key, value) -> ByteBuffer.wrap(key).getInt(KIND_BYTES) <= epoch);
    }

    static void forgetNullPlaces(KvTransaction rows) {
        Altered.deleteWhere(rows, TABLE, key('W'), (key, value) -> true);
    }

    static void takeUse(KvTransaction rows, V holder) {
        byte[] value = rows.get(TABLE, key('H', holder));
        if (value != null) {
            int uses = parse(MetadataProto.HolderRow.parser(), value).getUses();
            setUses(rows, holder, Math.max(0, uses - 1));
        }
    }

    static void setUses(KvTransaction rows, V holder, int uses) {
        byte[] key = key('H', holder);
        byte[] before = rows.get(TABLE, key);
        if (before == null) {
            throw new IllegalArgumentException("no holder " + holder);
        }
        MetadataProto.HolderRow row = parse(MetadataProto.HolderRow.parser(), before);
        rows.put(TABLE, key, bytes(before[0], row.toBuilder().setUses(uses).build()));
    }

    static void copy(KvTransaction from, KvTransaction to) {
        for (KvBatch.Write write : from.toBatch().writes()) {
            byte[] value = write.value();
            if (value == null) {
                to.delete(write.table(), write.key());
            } else {
                to.put(write.table(), write.key(), value);
            }
        }
    }

    /** Applies as if no epoch were refused. */
    static byte[] withoutRefusedEpoch(KvTransaction rows, Supplier<byte[]> apply) {
        byte[] before = rows.get(TABLE, SHARD);
        if (before == null) {
            return apply.get();
        }
        int refused = parse(MetadataProto.ShardRow.parser(), before).getRefusedEpoch();
        setRefusedEpoch(rows, before, 0);
        byte[] reply = apply.get();
        byte[] after = rows.get(TABLE, SHARD);
        if (after != null) {
            setRefusedEpoch(rows, after, refused);
        }
        return reply;
    }

    private static void setRefusedEpoch(KvTransaction rows, byte[] row, int epoch) {
        MetadataProto.ShardRow shard = parse(MetadataProto.ShardRow.parser(), row);
        rows.put(TABLE, SHARD, bytes(FORMAT, shard.toBuilder().setRefusedEpoch(epoch).build()));
    }
}
