package io.dedupstore.core.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.dedupstore.core.kv.KvCursor;
import io.dedupstore.core.kv.KvReader;
import io.dedupstore.core.kv.KvTransaction;
import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of the control group: keys, value versions, typed access (docs/formats/control.md). */
final class ControlRows {
    static final Table TABLE = new Table("control", Table.Profile.SCAN);

    private static final byte VALUE_VERSION = 1;

    /** What a row is; the first byte of its key. */
    enum Kind {
        CLUSTER(1),
        COUNTER(2),
        ACCOUNT(3),
        ACCESS_KEY(4),
        DOMAIN(5),
        BUCKET(6),
        BUCKET_NAME(7),
        CONTAINER(8),
        SESSION(9),
        CLOSING(10),
        SETTING(11),
        BUCKET_CONFIGURATION(12),
        IDENTITY(13),
        KEY(18),
        CIPHER_DOMAIN(19);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }
    }

    /** Numbers that only grow. */
    enum Counter {
        VIEW_VERSION(1),
        LAST_DOMAIN(2),
        LAST_BUCKET(3),
        LAST_CONTAINER(4),
        LAST_EPOCH(5),
        LAST_SESSION(6),
        CLOSED_EPOCH(7);

        private final byte code;

        Counter(int code) {
            this.code = (byte) code;
        }
    }

    private ControlRows() {}

    static byte[] key(Kind kind) {
        return new byte[] {kind.code};
    }

    static byte[] key(Kind kind, String name) {
        return Bytes.concat(key(kind), name.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] key(Kind kind, long number) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(kind.code).putLong(number).array();
    }

    static byte[] key(Kind kind, long number, String name) {
        return Bytes.concat(key(kind, number), name.getBytes(StandardCharsets.UTF_8));
    }

    static <M> @Nullable M get(KvReader rows, byte[] key, Parser<M> parser) {
        byte[] value = rows.get(TABLE, key);
        return value == null ? null : parse(value, parser);
    }

    static void put(KvTransaction rows, byte[] key, MessageLite message) {
        rows.put(TABLE, key, Bytes.concat(new byte[] {VALUE_VERSION}, message.toByteArray()));
    }

    static void delete(KvTransaction rows, byte[] key) {
        rows.delete(TABLE, key);
    }

    /** All rows of a kind with a key greater than {@code after}, at most {@code limit}. */
    static <M> List<M> list(KvReader rows, Kind kind, byte[] after, int limit, Parser<M> parser) {
        List<M> found = new ArrayList<>();
        byte[] end = {(byte) (kind.code + 1)};
        try (KvCursor cursor = rows.scan(TABLE, Bytes.successor(after), end)) {
            while (found.size() < limit && cursor.next()) {
                found.add(parse(cursor.value(), parser));
            }
        }
        return found;
    }

    static <M> List<M> list(KvReader rows, Kind kind, Parser<M> parser) {
        return list(rows, kind, key(kind), Integer.MAX_VALUE, parser);
    }

    static long counter(KvReader rows, Counter counter) {
        byte[] value = rows.get(TABLE, counterKey(counter));
        if (value == null) {
            return 0;
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        checkVersion(in.get());
        return in.getLong();
    }

    static void setCounter(KvTransaction rows, Counter counter, long value) {
        rows.put(
                TABLE,
                counterKey(counter),
                ByteBuffer.allocate(1 + Long.BYTES).put(VALUE_VERSION).putLong(value).array());
    }

    static long increment(KvTransaction rows, Counter counter) {
        long next = Math.incrementExact(counter(rows, counter));
        setCounter(rows, counter, next);
        return next;
    }

    static @Nullable String text(KvReader rows, byte[] key) {
        byte[] value = rows.get(TABLE, key);
        if (value == null) {
            return null;
        }
        checkVersion(value[0]);
        return new String(value, 1, value.length - 1, StandardCharsets.UTF_8);
    }

    static void putText(KvTransaction rows, byte[] key, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        rows.put(TABLE, key, Bytes.concat(new byte[] {VALUE_VERSION}, utf8));
    }

    private static byte[] counterKey(Counter counter) {
        return new byte[] {Kind.COUNTER.code, counter.code};
    }

    private static <M> M parse(byte[] value, Parser<M> parser) {
        checkVersion(value.length == 0 ? 0 : value[0]);
        try {
            return parser.parseFrom(ByteString.copyFrom(value, 1, value.length - 1));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("damaged row of the control group", e);
        }
    }

    private static void checkVersion(byte version) {
        if (version != VALUE_VERSION) {
            throw new IllegalStateException(
                    "control row of format %d, this release reads %d: run the release that wrote it"
                            .formatted(version, VALUE_VERSION));
        }
    }
}
