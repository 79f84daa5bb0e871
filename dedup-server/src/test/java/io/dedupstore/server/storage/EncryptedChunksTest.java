package io.dedupstore.server.storage;

import static io.dedupstore.server.storage.StorageFixture.DOMAIN;
import static io.dedupstore.server.storage.StorageFixture.METADATA;
import static io.dedupstore.server.storage.StorageFixture.adopt;
import static io.dedupstore.server.storage.StorageFixture.fingerprint;
import static io.dedupstore.server.storage.StorageFixture.free;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.cipher.AttemptCipher;
import io.dedupstore.core.cipher.ChunkCipher;
import io.dedupstore.core.cipher.RootKey;
import io.dedupstore.core.container.ContainerFiles;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.V;
import io.dedupstore.core.spi.ChunkOpener;
import io.dedupstore.core.spi.ChunkStore.NewChunk;
import io.dedupstore.core.spi.ChunkStore.Wanted;
import io.dedupstore.core.spi.ChunkStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store keeps, moves and heals what it has no key to. */
class EncryptedChunksTest {
    private static final int LENGTH = 5_000;
    private static final int CHUNKS = 6;
    private static final AtomicLong ATTEMPTS = new AtomicLong(100);
    private static final RootKey KEY = new RootKey(StorageFixture.bytes(77, RootKey.BYTES), 3);
    private static final ChunkOpener OPENER =
            chunk ->
                    AttemptCipher.open(
                            (cipher, domain, version) -> {
                                assertThat(version).isEqualTo(3);
                                return KEY;
                            },
                            chunk.cipher(),
                            chunk.domain(),
                            chunk.keyVersion(),
                            chunk.fingerprint(),
                            chunk.codec(),
                            chunk.length(),
                            chunk.stored());

    private static List<ChunkAddress> append(StorageFixture storage, ChunkCipher how) {
        V v = new V(1, 1, ATTEMPTS.incrementAndGet());
        AttemptCipher cipher = new AttemptCipher(how, KEY, DOMAIN, v);
        List<NewChunk> chunks = new ArrayList<>();
        for (int n = 0; n < CHUNKS; n++) {
            ByteBuffer out = ByteBuffer.allocate(LENGTH + how.overhead());
            byte[] plain = StorageFixture.bytes(n, LENGTH);
            cipher.seal(fingerprint(n), 0, LENGTH, ByteBuffer.wrap(plain), out);
            chunks.add(
                    new NewChunk(fingerprint(n), 0, how.id(), KEY.version(), LENGTH, out.flip()));
        }
        List<ChunkAddress> addresses = storage.store.append(v, DOMAIN, chunks);
        storage.endSession();
        return addresses;
    }

    private static byte[] read(StorageFixture storage, ChunkAddress address, int n) {
        ByteBuffer target = ByteBuffer.allocateDirect(LENGTH);
        storage.store.read(List.of(new Wanted(address, fingerprint(n), LENGTH)), target, OPENER);
        byte[] bytes = new byte[LENGTH];
        target.flip().get(bytes);
        return bytes;
    }

    private static void requireIntact(
            StorageFixture storage, List<ChunkAddress> addresses, int... which) {
        for (int n : which) {
            assertThat(read(storage, addresses.get(n), n))
                    .isEqualTo(StorageFixture.bytes(n, LENGTH));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void theyAreReadWithTheirKeyAlone(ChunkCipher how) {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = append(storage, how);
            requireIntact(storage, addresses, 0, 1, 2, 3, 4, 5);
            assertThatThrownBy(() -> storage.read(addresses.get(0), 0, LENGTH))
                    .isInstanceOfSatisfying(
                            ChunkStoreException.class,
                            e ->
                                    assertThat(e.code())
                                            .isEqualTo(ChunkStoreException.Code.UNAVAILABLE));
            storage.crash(1);
            requireIntact(storage, addresses, 0, 1, 2, 3, 4, 5);
        }
    }

    @Test
    void copiesInOtherSlotsAreReadAsWell() {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = append(storage, ChunkCipher.CUSTOMER);
            List<ChunkAddress> copies =
                    storage.store.copy(
                            new V(2, 2, 2),
                            List.of(
                                    new Wanted(addresses.get(1), fingerprint(1), LENGTH),
                                    new Wanted(addresses.get(0), fingerprint(0), LENGTH)));
            assertThat(copies).doesNotContainAnyElementsOf(addresses);
            assertThat(read(storage, copies.get(0), 1)).isEqualTo(StorageFixture.bytes(1, LENGTH));
            assertThat(read(storage, copies.get(1), 0)).isEqualTo(StorageFixture.bytes(0, LENGTH));
        }
    }

    @Test
    void compactionKeepsThem() {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = append(storage, ChunkCipher.DOMAIN);
            storage.deliver(METADATA, addresses.get(0).container(), adopt(1, 4), free(0, 2, 3, 5));
            storage.node.runMaintenance();
            storage.clock.advance(StorageFixture.GRACE.multipliedBy(2));
            storage.node.runMaintenance();
            assertThat(storage.node.statistics().compactedContainers()).isEqualTo(1);
            requireIntact(storage, addresses, 1, 4);
            storage.restart();
            requireIntact(storage, addresses, 1, 4);
        }
    }

    @Test
    void oneIsHealedFromACopyUnderAnotherAttempt() throws IOException {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = append(storage, ChunkCipher.DOMAIN_TWICE);
            List<ChunkAddress> others = append(storage, ChunkCipher.DOMAIN_TWICE);
            damage(storage, addresses.get(2));
            assertThatThrownBy(() -> read(storage, addresses.get(2), 2))
                    .isInstanceOf(ChunkStoreException.class);
            Wanted whole = new Wanted(others.get(2), fingerprint(2), LENGTH);
            assertThat(storage.store.heal(addresses.get(2), whole)).isTrue();
            requireIntact(storage, addresses, 0, 1, 2, 3, 4, 5);
        }
    }

    /** Neither a container's file nor what stands beside it has plain bytes. */
    @Test
    void filesHoldNoPlainText() throws IOException {
        try (StorageFixture storage = new StorageFixture()) {
            List<ChunkAddress> addresses = append(storage, ChunkCipher.DOMAIN);
            byte[] file = file(storage, addresses.getFirst());
            for (int n = 0; n < CHUNKS; n++) {
                byte[] some = Arrays.copyOfRange(StorageFixture.bytes(n, LENGTH), 100, 116);
                assertThat(indexOf(file, some)).isNegative();
            }
            storage.append(9, LENGTH);
            byte[] clear = Arrays.copyOfRange(StorageFixture.bytes(9, LENGTH), 100, 116);
            ChunkAddress inTheClear = storage.append(9, LENGTH);
            storage.endSession();
            assertThat(indexOf(file(storage, inTheClear), clear)).isNotNegative();
        }
    }

    private static byte[] file(StorageFixture storage, ChunkAddress address) throws IOException {
        Path path = ContainerFiles.path(Path.of("/drives/0/containers"), address.container(), 1);
        try (var file = storage.disk.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) file.size());
            file.read(all, 0);
            return all.array();
        }
    }

    /** Flips a bit in the middle of the record of slot 2. */
    private static void damage(StorageFixture storage, ChunkAddress address) throws IOException {
        Path path = ContainerFiles.path(Path.of("/drives/0/containers"), address.container(), 1);
        int record = LENGTH + ChunkCipher.DOMAIN_TWICE.overhead() + 104;
        int place = 4096 + 2 * (record + 7 & -8) + 2_000;
        try (var file = storage.disk.open(path)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, place);
            file.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 4)}), place);
            file.sync();
        }
    }

    private static int indexOf(byte[] in, byte[] bytes) {
        for (int i = 0; i <= in.length - bytes.length; i++) {
            if (Arrays.equals(in, i, i + bytes.length, bytes, 0, bytes.length)) {
                return i;
            }
        }
        return -1;
    }
}
