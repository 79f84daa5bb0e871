package io.dedupstore.core.metadata;

import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.BucketId;
import io.dedupstore.core.model.Bytes;
import io.dedupstore.core.model.ObjectKey;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.core.model.V;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Row keys of one shard; {@code docs/formats/metadata.md}. Everything starts with the shard's
 * number, so that shards are contiguous in every table.
 */
final class RowKeys {
    /** Current objects, in listing order. */
    static final Table OBJECTS = new Table("objects", Table.Profile.SCAN);

    static final Table MANIFESTS = new Table("manifests", Table.Profile.SCAN);

    /** All other rows, told apart by a byte behind the shard number. */
    static final Table ROWS = new Table("metadata", Table.Profile.SCAN);

    private static final int SHARD_BYTES = 2;

    /** What a row of {@link #ROWS} is. */
    enum Kind {
        SHARD('S'),
        BUCKET('B'),
        HOLDER('H'),
        INVISIBLE('I'),
        EARLY('E'),
        INSTALL('A'),
        UNINDEXED('N'),
        FATE('F'),
        UPLOAD('U'),
        VERSION('V'),
        NULL_PLACE('W'),
        PART('P'),
        PART_PAGE('Q'),
        LAYOUT('L'),
        LAYOUT_PAGE('K'),
        COMPLETED('C'),
        COMPLETED_BY_TIME('T'),
        SUM('M'),
        ZERO('Z'),
        BUCKET_ZERO('Y'),
        GARBAGE('G'),
        RELEASED('D');

        private final byte code;

        Kind(char code) {
            this.code = (byte) code;
        }
    }

    private final short shard;

    RowKeys(ShardId shard) {
        this.shard = (short) shard.number();
    }

    private ByteBuffer start(Kind kind, int more) {
        return ByteBuffer.allocate(SHARD_BYTES + 1 + more).putShort(shard).put(kind.code);
    }

    /** The prefix of all rows of a kind. */
    byte[] all(Kind kind) {
        return start(kind, 0).array();
    }

    byte[] shard() {
        return all(Kind.SHARD);
    }

    byte[] bucket(BucketId bucket) {
        return start(Kind.BUCKET, 8).putLong(bucket.value()).array();
    }

    /** A row named by a V alone. */
    byte[] of(Kind kind, V v) {
        ByteBuffer key = start(kind, V.BYTES);
        v.write(key);
        return key.array();
    }

    /** A numbered row below a V. */
    byte[] of(Kind kind, V v, int number) {
        ByteBuffer key = start(kind, V.BYTES + 4);
        v.write(key);
        return key.putInt(number).array();
    }

    /** The V in a key made by one of the above. */
    static V vOf(byte[] key) {
        return V.read(ByteBuffer.wrap(key, SHARD_BYTES + 1, V.BYTES));
    }

    /** The number in a key of a numbered row. */
    static int numberOf(byte[] key) {
        return ByteBuffer.wrap(key).getInt(key.length - 4);
    }

    byte[] zero(int length) {
        return start(Kind.ZERO, 4).putInt(length).array();
    }

    byte[] zero(BucketId bucket, int length) {
        return start(Kind.BUCKET_ZERO, 8 + 4).putLong(bucket.value()).putInt(length).array();
    }

    byte[] sum(ShardId indexShard) {
        return start(Kind.SUM, 2).putShort((short) indexShard.number()).array();
    }

    /** The index shard in the key of a sum. */
    static ShardId indexShardOf(byte[] sum) {
        return ShardId.index(ByteBuffer.wrap(sum).getShort(SHARD_BYTES + 1));
    }

    byte[] garbage(long number) {
        return start(Kind.GARBAGE, 8).putLong(number).array();
    }

    byte[] completedByTime(long micros, V upload) {
        ByteBuffer key = start(Kind.COMPLETED_BY_TIME, 8 + V.BYTES).putLong(micros);
        upload.write(key);
        return key.array();
    }

    static long microsOf(byte[] completedByTime) {
        return ByteBuffer.wrap(completedByTime).getLong(SHARD_BYTES + 1);
    }

    static V uploadOf(byte[] completedByTime) {
        return V.read(ByteBuffer.wrap(completedByTime, SHARD_BYTES + 1 + 8, V.BYTES));
    }

    // ---- manifests ----

    byte[] manifest(V holder) {
        ByteBuffer key = ByteBuffer.allocate(SHARD_BYTES + V.BYTES).putShort(shard);
        holder.write(key);
        return key.array();
    }

    byte[] manifest(V holder, int row) {
        return Bytes.concat(manifest(holder), ByteBuffer.allocate(2).putShort((short) row).array());
    }

    // ---- objects ----

    /** The prefix of a bucket's objects. */
    byte[] objects(BucketId bucket) {
        return ByteBuffer.allocate(SHARD_BYTES + 8).putShort(shard).putLong(bucket.value()).array();
    }

    byte[] object(BucketId bucket, ObjectKey key) {
        return Bytes.concat(objects(bucket), key.utf8());
    }

    /** The object's key in the key of its row. */
    static byte[] objectKeyOf(byte[] key) {
        return Arrays.copyOfRange(key, SHARD_BYTES + 8, key.length);
    }

    // ---- versions that are not current objects ----

    /** The prefix of a bucket's versions. */
    byte[] versions(BucketId bucket) {
        return start(Kind.VERSION, 8).putLong(bucket.value()).array();
    }

    /** The prefix of versions of the keys that start with {@code text}. */
    byte[] versionsFrom(BucketId bucket, String text) {
        return Bytes.concat(versions(bucket), escape(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The prefix of the versions of one key. */
    byte[] versionsOf(BucketId bucket, String key) {
        return Bytes.concat(versionsFrom(bucket, key), new byte[2]);
    }

    /** The newest of a key comes first. */
    byte[] version(BucketId bucket, String key, long order) {
        byte[] descending = ByteBuffer.allocate(8).putLong(Long.MAX_VALUE - order).array();
        return Bytes.concat(versionsOf(bucket, key), descending);
    }

    /** Where the current object of a key stands in the order of versions. */
    byte[] currentAmongVersions(BucketId bucket, byte[] escapedKey) {
        return Bytes.concat(versions(bucket), escapedKey, new byte[2 + 8]);
    }

    static byte[] versionKeyOf(byte[] key) {
        return unescape(Arrays.copyOfRange(key, SHARD_BYTES + 1 + 8, key.length - 8 - 2));
    }

    static long orderOf(byte[] version) {
        return Long.MAX_VALUE - ByteBuffer.wrap(version).getLong(version.length - 8);
    }

    static boolean isCurrentAmongVersions(byte[] version) {
        return orderOf(version) == Long.MAX_VALUE;
    }

    byte[] nullPlace(BucketId bucket, String key) {
        byte[] escaped = escape(key.getBytes(StandardCharsets.UTF_8));
        return Bytes.concat(
                start(Kind.NULL_PLACE, 8).putLong(bucket.value()).array(), escaped, new byte[2]);
    }

    /**
     * From which row of {@link #OBJECTS} on current objects are at or behind a place among the
     * versions of their bucket.
     */
    byte[] objectsFrom(BucketId bucket, byte[] version) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(version.length);
        out.writeBytes(objects(bucket));
        for (int i = SHARD_BYTES + 1 + 8; i < version.length; i++) {
            out.write(version[i]);
            if (version[i] == 0) {
                i++;
                if (i == version.length || version[i] != (byte) 0xff) {
                    // The end of a key. Its current object comes before all else of it.
                    boolean behind = i < version.length && hasBits(version, i);
                    byte[] key = out.toByteArray();
                    return behind ? key : Arrays.copyOf(key, key.length - 1);
                }
            }
        }
        return out.toByteArray();
    }

    private static boolean hasBits(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                return true;
            }
        }
        return bytes.length - from > 1 + 8;
    }

    // ---- uploads ----

    /** The prefix of a bucket's uploads. */
    byte[] uploads(BucketId bucket) {
        return start(Kind.UPLOAD, 8).putLong(bucket.value()).array();
    }

    /** The prefix of uploads whose keys start with {@code text}. */
    byte[] uploadsFrom(BucketId bucket, String text) {
        return Bytes.concat(uploads(bucket), escape(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The prefix of the uploads of one key. */
    byte[] uploadsOf(BucketId bucket, String key) {
        return Bytes.concat(uploadsFrom(bucket, key), new byte[2]);
    }

    byte[] upload(BucketId bucket, ObjectKey key, V upload) {
        return Bytes.concat(uploadsOf(bucket, key.text()), upload.toBytes());
    }

    /** The object's key in the key of an upload's row. */
    static byte[] uploadKeyOf(byte[] key) {
        int end = key.length - V.BYTES - 2;
        return unescape(Arrays.copyOfRange(key, SHARD_BYTES + 1 + 8, end));
    }

    static V uploadVOf(byte[] key) {
        return V.of(Arrays.copyOfRange(key, key.length - V.BYTES, key.length));
    }

    /** 00 becomes 00 ff, so that the end mark 00 00 sorts a key before all longer ones. */
    static byte[] escape(byte[] text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 2);
        for (byte b : text) {
            out.write(b);
            if (b == 0) {
                out.write(0xff);
            }
        }
        return out.toByteArray();
    }

    private static byte[] unescape(byte[] escaped) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(escaped.length);
        for (int i = 0; i < escaped.length; i++) {
            out.write(escaped[i]);
            if (escaped[i] == 0) {
                i++;
            }
        }
        return out.toByteArray();
    }
}
