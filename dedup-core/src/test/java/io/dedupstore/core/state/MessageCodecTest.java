package io.dedupstore.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkReference;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.IndexMessage;
import io.dedupstore.core.model.ReferenceSum;
import io.dedupstore.core.model.Retained;
import io.dedupstore.core.model.StorageMessage;
import io.dedupstore.core.model.V;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
    private static final V V1 = new V(7, 0x01020304, 0x1122334455667788L);
    private static final Fingerprint LOW = new Fingerprint(1, 2, 3, 4);
    private static final Fingerprint HIGH = new Fingerprint(-1, -2, -3, -4);
    private static final ChunkAddress ADDRESS =
            new ChunkAddress(new ContainerId(0x0102030405060708L), 0x0a0b0c);

    private static final ReferenceSum SUM = new ReferenceSum(Long.MIN_VALUE, 0x0102030405060708L);

    private static final List<IndexMessage> INDEX_MESSAGES =
            List.of(
                    new IndexMessage.Confirm(V1, new Retained.All(SUM)),
                    new IndexMessage.Confirm(V1, new Retained.None()),
                    new IndexMessage.Confirm(V1, new Retained.AllBut(Set.of(LOW, HIGH), SUM)),
                    new IndexMessage.Confirm(V1, new Retained.AllBut(Set.of(), ReferenceSum.ZERO)),
                    new IndexMessage.Abort(V1),
                    new IndexMessage.Audit(SUM),
                    new IndexMessage.Release(
                            V1,
                            List.of(
                                    new ChunkReference(LOW, ADDRESS),
                                    new ChunkReference(HIGH, ADDRESS))));

    private static final List<StorageMessage> STORAGE_MESSAGES =
            List.of(
                    new StorageMessage.Adopt(new int[] {0, 1, 300, ChunkAddress.MAX_SLOTS - 1}),
                    new StorageMessage.Free(new int[] {5}),
                    new StorageMessage.Closed(9));

    @Test
    void readsWhatItWrote() {
        for (IndexMessage message : INDEX_MESSAGES) {
            assertThat(MessageCodec.decodeIndex(MessageCodec.encode(message))).isEqualTo(message);
        }
        for (StorageMessage message : STORAGE_MESSAGES) {
            assertThat(MessageCodec.decodeStorage(MessageCodec.encode(message))).isEqualTo(message);
        }
    }

    @Test
    void bytesAreThoseOfVersion1() throws IOException {
        List<String> lines = new ArrayList<>();
        INDEX_MESSAGES.forEach(m -> lines.add(hex(MessageCodec.encode(m))));
        STORAGE_MESSAGES.forEach(m -> lines.add(hex(MessageCodec.encode(m))));

        assertThat(lines).isEqualTo(golden());
    }

    private static List<String> golden() throws IOException {
        try (InputStream in =
                MessageCodecTest.class.getResourceAsStream("/formats/state/messages-v1.hex")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void equalMessagesHaveEqualBytesWhateverTheOrderOfASet() {
        Set<Fingerprint> there = new LinkedHashSet<>();
        Set<Fingerprint> back = new LinkedHashSet<>();
        for (int i = 0; i < 50; i++) {
            there.add(new Fingerprint(i, 0, 0, 0));
            back.add(new Fingerprint(49 - i, 0, 0, 0));
        }
        assertThat(encodeAllBut(there)).isEqualTo(encodeAllBut(back));
    }

    private static byte[] encodeAllBut(Set<Fingerprint> dropped) {
        return MessageCodec.encode(
                new IndexMessage.Confirm(V1, new Retained.AllBut(dropped, ReferenceSum.ZERO)));
    }

    @Test
    void refusesKindsOfANewerReleaseAndTruncatedItems() {
        byte[] newer = HexFormat.of().parseHex("a20600");
        assertThatThrownBy(() -> MessageCodec.decodeIndex(newer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newer");
        assertThatThrownBy(() -> MessageCodec.decodeStorage(newer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newer");
        byte[] whole = MessageCodec.encode(INDEX_MESSAGES.getLast());
        for (int length = 0; length < whole.length; length++) {
            byte[] part = java.util.Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> MessageCodec.decodeIndex(part))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
