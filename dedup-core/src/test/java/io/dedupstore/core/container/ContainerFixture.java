package io.dedupstore.core.container;

import io.dedupstore.core.checksum.AtRestChecksum;
import io.dedupstore.core.io.FaultyDisk;
import io.dedupstore.core.model.ContainerId;
import io.dedupstore.core.model.DomainId;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.V;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A container on a disk that crashes, with chunks that can be told apart. */
final class ContainerFixture {
    static final Path FOLDER = Path.of("/containers");
    static final ContainerId ID = new ContainerId(0x0102030405060708L);
    static final V FIRST_V = new V(3, 7, 100);

    final FaultyDisk disk = new FaultyDisk();
    final ContainerHeader header;
    final Path path;
    final OpenContainer open;
    final ContainerWriter writer;
    final List<Fingerprint> fingerprints = new ArrayList<>();

    ContainerFixture(AtRestChecksum checksum) throws IOException {
        header =
                new ContainerHeader(ID, 1, checksum, 0x1122334455667788L, 3, 7, 1_800_000_000_000L);
        path = ContainerFiles.path(FOLDER, ID, 1);
        open = OpenContainer.create(disk, path, header);
        writer = new ContainerWriter(header, 64 << 20);
    }

    /** Bytes of chunk {@code n}. */
    static byte[] chunk(int n, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (n * 31 + i * 7 + (i >> 8));
        }
        return bytes;
    }

    static Fingerprint fingerprint(int n) {
        return new Fingerprint(0x1000L + n, 2, 3, n);
    }

    /** Appends one chunk, unsynced; its slot is the number of chunks so far. */
    void append(int length) throws IOException {
        int n = fingerprints.size();
        ByteBuffer window = ContainerWriter.newWindow(0);
        fingerprints.add(fingerprint(n));
        V v = new V(FIRST_V.epoch() + n % 2, FIRST_V.session(), FIRST_V.counter() + n);
        writer.add(
                v,
                new DomainId(9),
                fingerprint(n),
                0,
                0,
                0,
                length,
                ByteBuffer.wrap(chunk(n, length)),
                window);
        open.append(window.flip(), 0);
    }

    byte[] bytes() throws IOException {
        return disk.bytes(path);
    }

    /** A file with these bytes, on a disk of its own. */
    static Path put(FaultyDisk disk, byte[] bytes) throws IOException {
        Path path = Path.of("/copy");
        if (!disk.exists(path)) {
            disk.create(path).close();
        }
        disk.overwrite(path, bytes);
        return path;
    }
}
