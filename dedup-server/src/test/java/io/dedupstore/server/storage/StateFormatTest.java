package io.dedupstore.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.kv.KvBatch;
import io.dedupstore.core.kv.MemoryKvStore;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.ShardId;
import io.dedupstore.server.storage.ContainerRow.Count;
import io.dedupstore.server.storage.ContainerRow.Status;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Holds the rows beside the containers to the bytes of docs/formats/container.md, version 1. */
class StateFormatTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final ContainerId ID = new ContainerId(0x0102030405060708L);

    @Test
    void aContainerRowHasItsBytes() {
        ContainerRow row =
                new ContainerRow(
                        Status.FENCED,
                        3,
                        100,
                        4096,
                        5,
                        6,
                        new Count(90, 9000),
                        new Count(40, 4000),
                        new Count(20, 2000),
                        12_345);
        String bytes =
                "0103"
                        + "00000003"
                        + "00000064"
                        + "0000000000001000"
                        + "0000000500000006"
                        + "0000005a0000000000002328"
                        + "000000280000000000000fa0"
                        + "0000001400000000000007d0"
                        + "0000000000003039";
        assertThat(HEX.formatHex(row.encode())).isEqualTo(bytes);
        assertThat(ContainerRow.decode(HEX.parseHex(bytes))).isEqualTo(row);
    }

    @Test
    void aStreamRowHasItsBytes() {
        StreamRow row = new StreamRow(0x1122334455L, 7);
        assertThat(HEX.formatHex(row.encode())).isEqualTo("01" + "0000001122334455" + "00000007");
        assertThat(StreamRow.decode(row.encode())).isEqualTo(row);
        assertThat(HEX.formatHex(StateTables.streamKey(ID, ShardId.metadata(9))))
                .isEqualTo("0102030405060708" + "02" + "00000009");
    }

    @Test
    void theCursorOfTheScrubHasItsBytes() {
        ScrubRow row = new ScrubRow(3, 0x1111, 0x2222, 0x0102030405060708L, 9, 10, 11, 12, 13);
        String bytes =
                "01"
                        + "0000000000000003"
                        + "0000000000001111"
                        + "0000000000002222"
                        + "0102030405060708"
                        + "00000009"
                        + "0000000a"
                        + "000000000000000b"
                        + "000000000000000c"
                        + "000000000000000d";
        assertThat(HEX.formatHex(row.encode())).isEqualTo(bytes);
        assertThat(ScrubRow.decode(HEX.parseHex(bytes))).isEqualTo(row);
        assertThatThrownBy(() -> ScrubRow.decode(HEX.parseHex("02" + bytes.substring(2))))
                .hasMessageContaining("newer release");
    }

    @Test
    void aDamagedSlotHasItsBytes() {
        assertThat(HEX.formatHex(DamagedSlots.key(new ChunkAddress(ID, 5))))
                .isEqualTo(
                        HEX.formatHex("damaged/".getBytes(StandardCharsets.US_ASCII))
                                + "0102030405060708"
                                + "00000005");
        assertThat(HEX.formatHex(DamagedSlots.value(0x1234))).isEqualTo("01" + "0000000000001234");
    }

    @Test
    void aPageOfSlotStatesHasItsBytes() {
        MemoryKvStore kv = new MemoryKvStore(StateTables.ALL);
        SlotPages pages = new SlotPages(kv, ID);
        assertThat(pages.advance(1025, SlotState.ADOPTED)).isTrue();
        assertThat(pages.advance(1026, SlotState.FREED)).isTrue();
        assertThat(pages.advance(1028, SlotState.ADOPTED)).isTrue();
        assertThat(pages.advance(1028, SlotState.ADOPTED)).isFalse();
        assertThat(pages.advance(1026, SlotState.ADOPTED)).isFalse();
        KvBatch batch = new KvBatch();
        pages.writeTo(batch);
        kv.write(batch);
        byte[] page = kv.get(StateTables.SLOTS, HEX.parseHex("0102030405060708" + "00000001"));
        assertThat(page).hasSize(257).startsWith(1, 0b100100, 1, 0);
        SlotPages again = new SlotPages(kv, ID);
        assertThat(again.get(1024)).isEqualTo(SlotState.WRITTEN);
        assertThat(again.get(1025)).isEqualTo(SlotState.ADOPTED);
        assertThat(again.get(1026)).isEqualTo(SlotState.FREED);
        assertThat(again.get(0)).isEqualTo(SlotState.WRITTEN);
    }

    @Test
    void rowsOfANewerReleaseAreRefused() {
        byte[] newer = ContainerRow.opened().encode();
        newer[0] = 2;
        assertThatThrownBy(() -> ContainerRow.decode(newer))
                .hasMessageContaining("format 2, this release reads up to 1");
    }
}
