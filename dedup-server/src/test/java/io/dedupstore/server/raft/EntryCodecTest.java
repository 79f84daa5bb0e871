package io.dedupstore.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryCodecTest {
    private static final String GOLDEN =
            "01" + "00000003" + "00000002aabb" + "00000000" + "00000001cc";

    @Test
    void theLayoutIsTheDocumentedOne() {
        byte[] entry =
                EntryCodec.encode(
                        List.of(
                                new byte[] {(byte) 0xaa, (byte) 0xbb},
                                new byte[0],
                                new byte[] {(byte) 0xcc}));

        assertThat(HexFormat.of().formatHex(entry)).isEqualTo(GOLDEN);
    }

    @Test
    void commandsComeBackInOrder() {
        List<byte[]> commands = EntryCodec.decode(ByteBuffer.wrap(HexFormat.of().parseHex(GOLDEN)));

        assertThat(commands)
                .containsExactly(
                        new byte[] {(byte) 0xaa, (byte) 0xbb},
                        new byte[0],
                        new byte[] {(byte) 0xcc});
    }

    @Test
    void anEntryOfALaterFormatIsRefusedWithAdvice() {
        byte[] later = HexFormat.of().parseHex("02" + GOLDEN.substring(2));

        assertThatThrownBy(() -> EntryCodec.decode(ByteBuffer.wrap(later)))
                .hasMessageContaining("format 2")
                .hasMessageContaining("run the release that wrote it");
    }

    @Test
    void everyTruncationIsRefused() {
        byte[] whole = HexFormat.of().parseHex(GOLDEN);
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(whole, 0, length);
            assertThatThrownBy(() -> EntryCodec.decode(cut))
                    .as("cut to %d bytes", length)
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void strayBytesAndAbsurdCountsAreRefused() {
        assertThatThrownBy(
                        () ->
                                EntryCodec.decode(
                                        ByteBuffer.wrap(HexFormat.of().parseHex(GOLDEN + "00"))))
                .hasMessageContaining("stray");
        assertThatThrownBy(
                        () ->
                                EntryCodec.decode(
                                        ByteBuffer.wrap(HexFormat.of().parseHex("017fffffff"))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPositionHasTheDocumentedLayout() {
        LogPosition position = new LogPosition(3, 0x1122);

        assertThat(HexFormat.of().formatHex(position.encode()))
                .isEqualTo("01" + "0000000000000003" + "0000000000001122");
        assertThat(LogPosition.decode(position.encode())).isEqualTo(position);
        assertThatThrownBy(() -> LogPosition.decode(new byte[] {2}))
                .hasMessageContaining("format 2");
    }
}
