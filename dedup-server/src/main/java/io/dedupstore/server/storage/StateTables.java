package io.dedupstore.server.storage;

import io.dedupstore.core.kv.Table;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tables and keys of the state beside the containers; docs/formats/container.md. */
final class StateTables {
    static final byte VERSION = 1;
    static final int FORMAT = 1;

    static final Table NODE = new Table("storage-node", Table.Profile.SCAN);
    static final Table CONTAINERS = new Table("storage-containers", Table.Profile.SCAN);
    static final Table SLOTS = new Table("storage-slots", Table.Profile.SCAN);
    static final Table STREAMS = new Table("storage-streams", Table.Profile.SCAN);
    static final List<Table> ALL = List.of(NODE, CONTAINERS, SLOTS, STREAMS);

    static final byte[] ID_KEY = ascii("id");
    static final byte[] FORMAT_KEY = ascii("format");
    static final byte[] REFUSED_EPOCH_KEY = ascii("refused-epoch");
    static final byte[] SCRUB_KEY = ascii("scrub");

    private StateTables() {}

    static byte[] key(ContainerId container) {
        return ByteBuffer.allocate(8).putLong(container.value()).array();
    }

    static byte[] pageKey(ContainerId container, int page) {
        return ByteBuffer.allocate(12).putLong(container.value()).putInt(page).array();
    }

    static byte[] streamKey(ContainerId container, ShardId source) {
        return ByteBuffer.allocate(13)
                .putLong(container.value())
                .put((byte) source.kind().code())
                .putInt(source.number())
                .array();
    }

    static byte[] int4(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    /** Opens a value of this format. */
    static ByteBuffer open(byte[] value, String what) {
        ByteBuffer in = ByteBuffer.wrap(value);
        byte version = in.get();
        if (version != VERSION) {
            throw new IllegalStateException(
                    "%s has format %d, this release reads up to %d: use a newer release"
                            .formatted(what, version, VERSION));
        }
        return in;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
