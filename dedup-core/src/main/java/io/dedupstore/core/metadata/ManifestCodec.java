package io.dedupstore.core.metadata;

import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.ChunkSums;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.model.ManifestEntry;
import io.dedupstore.core.model.ManifestEntry.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Manifest entries as bytes, big-endian: format version (1), then for each entry kind (1), length
 * (4), CRC-32 (4), CRC-32C (4), CRC-64/NVME (8), and unless it is a zero chunk fingerprint (32) and
 * address (12).
 */
final class ManifestCodec {
    private static final byte FORMAT = 1;
    private static final int ZERO_BYTES = 21;
    private static final int STORED_BYTES = ZERO_BYTES + Fingerprint.BYTES + ChunkAddress.BYTES;

    private ManifestCodec() {}

    static byte[] encode(List<ManifestEntry> entries) {
        int bytes = 1;
        for (ManifestEntry entry : entries) {
            bytes += entry.kind() == Kind.ZERO ? ZERO_BYTES : STORED_BYTES;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).put(FORMAT);
        for (ManifestEntry entry : entries) {
            write(entry, out);
        }
        return out.array();
    }

    private static void write(ManifestEntry entry, ByteBuffer out) {
        ChunkSums sums = entry.sums();
        out.put((byte) entry.kind().code()).putInt(entry.length());
        out.putInt(sums.crc32()).putInt(sums.crc32c()).putLong(sums.crc64nvme());
        Fingerprint fingerprint = entry.fingerprint();
        ChunkAddress address = entry.address();
        if (fingerprint != null && address != null) {
            fingerprint.write(out);
            address.write(out);
        }
    }

    static List<ManifestEntry> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte format = in.get();
        if (format != FORMAT) {
            throw new IllegalStateException("manifest format " + format + " is newer than this");
        }
        List<ManifestEntry> entries = new ArrayList<>();
        while (in.hasRemaining()) {
            entries.add(read(in));
        }
        return entries;
    }

    private static ManifestEntry read(ByteBuffer in) {
        Kind kind = Kind.ofCode(in.get());
        int length = in.getInt();
        ChunkSums sums = new ChunkSums(in.getInt(), in.getInt(), in.getLong());
        return kind == Kind.ZERO
                ? ManifestEntry.zero(length, sums)
                : new ManifestEntry(
                        kind, Fingerprint.read(in), ChunkAddress.read(in), length, sums);
    }
}
