package io.dedupstore.server.storage;

import static io.dedupstore.server.storage.StorageFixture.METADATA;
import static io.dedupstore.server.storage.StorageFixture.V1;
import static io.dedupstore.server.storage.StorageFixture.adopt;
import static io.dedupstore.server.storage.StorageFixture.chunk;
import static io.dedupstore.server.storage.StorageFixture.fingerprint;
import static io.dedupstore.server.storage.StorageFixture.free;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.container.ContainerFiles;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkStore.Wanted;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged record is replaced by the same chunk from somewhere else. */
class HealingTest {
    private static final int LENGTH = 5_000;
    private static final int CHUNKS = 6;

    /** With CRC-32C. */
    private static final int RECORD_HEADER_BYTES = 104;

    /** Where a record is hit: its checksum, its fields, its bytes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 9, 40, 70, 3_000})
    void aDamagedRecordIsHealedAndTheOthersStayAsTheyAre(int at) throws IOException {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = six(storage);
            ChunkAddress damaged = addresses.get(2);
            damage(storage, damaged, 2, at);
            assertThatThrownBy(() -> storage.read(damaged, 2, LENGTH))
                    .isInstanceOf(ChunkStoreException.class)
                    .extracting(e -> ((ChunkStoreException) e).code())
                    .isEqualTo(ChunkStoreException.Code.DAMAGED);

            Wanted whole = copyOf(storage, 2);
            assertThat(storage.store.heal(damaged, whole)).isTrue();
            assertAllIntact(storage, addresses);
            // Nothing to do any more.
            assertThat(storage.store.heal(damaged, whole)).isTrue();
            storage.restart();
            assertAllIntact(storage, addresses);
        }
    }

    @Test
    void whatIsWholeIsNotTouchedAndWhatIsFreedIsNotHealed() {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = six(storage);
            Wanted whole = copyOf(storage, 2);
            assertThat(storage.store.heal(addresses.get(2), whole)).isTrue();
            assertAllIntact(storage, addresses);

            storage.deliver(METADATA, addresses.get(2).container(), free(addresses.get(2).slot()));
            assertThat(storage.store.heal(addresses.get(2), whole)).isFalse();
        }
    }

    @Test
    void aCrashLeavesTheOldFileOrTheNewOne() throws IOException {
        for (int operations = 1; operations < 14; operations++) {
            try (StorageFixture storage = new StorageFixture()) {
                List<ChunkAddress> addresses = six(storage);
                damage(storage, addresses.get(4), 4, 500);
                Wanted whole = copyOf(storage, 4);
                storage.disk.dieAfter(operations);
                try {
                    storage.store.heal(addresses.get(4), whole);
                } catch (ChunkStoreException e) {
                    assertThat(e.code()).isNotEqualTo(ChunkStoreException.Code.GONE);
                }
                storage.crash(operations);
                for (int n = 0; n < CHUNKS; n++) {
                    if (n != 4) {
                        assertThat(storage.isIntact(addresses.get(n), n, LENGTH)).isTrue();
                    }
                }
                assertThat(storage.store.heal(addresses.get(4), copyOf(storage, 4))).isTrue();
                assertAllIntact(storage, addresses);
            }
        }
    }

    @Test
    void copiesAreTheCopyingAttemptsOwn() {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = six(storage);
            V other = new V(1, 1, 9);
            List<ChunkAddress> copies =
                    storage.store.copy(
                            other,
                            List.of(
                                    new Wanted(addresses.get(1), fingerprint(1), LENGTH),
                                    new Wanted(addresses.get(0), fingerprint(0), LENGTH)));
            assertThat(copies).doesNotContainAnyElementsOf(addresses).doesNotHaveDuplicates();
            assertThat(storage.isIntact(copies.get(0), 1, LENGTH)).isTrue();
            assertThat(storage.isIntact(copies.get(1), 0, LENGTH)).isTrue();
            assertThatThrownBy(
                            () ->
                                    storage.store.copy(
                                            other,
                                            List.of(
                                                    new Wanted(
                                                            addresses.get(1),
                                                            fingerprint(2),
                                                            LENGTH))))
                    .isInstanceOf(ChunkStoreException.class)
                    .extracting(e -> ((ChunkStoreException) e).code())
                    .isEqualTo(ChunkStoreException.Code.DAMAGED);
        }
    }

    private static List<ChunkAddress> six(StorageFixture storage) {
        List<ChunkAddress> addresses = new ArrayList<>();
        for (int n = 0; n < CHUNKS; n++) {
            addresses.addAll(
                    storage.store.append(V1, StorageFixture.DOMAIN, List.of(chunk(n, LENGTH))));
        }
        storage.endSession();
        addresses.forEach(
                address -> storage.deliver(METADATA, address.container(), adopt(address.slot())));
        return addresses;
    }

    private static Wanted copyOf(StorageFixture storage, int n) {
        return new Wanted(storage.append(n, LENGTH), fingerprint(n), LENGTH);
    }

    private static void assertAllIntact(StorageFixture storage, List<ChunkAddress> addresses) {
        for (int n = 0; n < CHUNKS; n++) {
            assertThat(storage.isIntact(addresses.get(n), n, LENGTH)).as("chunk %d", n).isTrue();
        }
    }

    /** Flips a bit of the record of chunk {@code n}. */
    private static void damage(StorageFixture storage, ChunkAddress address, int n, int at)
            throws IOException {
        Path path = ContainerFiles.path(Path.of("/drives/0/containers"), address.container(), 1);
        try (var file = storage.disk.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) file.size());
            file.read(all, 0);
            byte[] bytes = StorageFixture.bytes(n, LENGTH);
            int record = indexOf(all.array(), bytes) - RECORD_HEADER_BYTES;
            int place = record + at;
            ByteBuffer one = ByteBuffer.wrap(new byte[] {(byte) (all.get(place) ^ 4)});
            file.write(one, place);
            file.sync();
        }
    }

    private static int indexOf(byte[] all, byte[] part) {
        for (int i = 0; i + part.length <= all.length; i++) {
            if (Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("not in the file");
    }
}
