package io.dedupstore.core.maintenance;

import io.dedupstore.core.io.Disk;
import io.dedupstore.core.io.DiskFile;
import io.dedupstore.core.model.ChunkAddress;
import io.dedupstore.core.model.Fingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * References to be grouped by fingerprint that do not fit into memory: they are dealt out to
 * partitions by their first bits, each with a small buffer in front of a file, and each partition
 * is then sorted in memory. Equal references of a full buffer become one with a count, so that one
 * content that everybody refers to makes no partition large. A few hundred thousand references make
 * no file at all. One thread.
 */
final class ReferenceSpill implements AutoCloseable {
    private static final int KEY_BYTES = Fingerprint.BYTES + ChunkAddress.BYTES + 4;
    private static final int RECORD_BYTES = KEY_BYTES + 8;
    private static final int BUFFER_RECORDS = 1_024;
    private static final int PARTITION_REFERENCES = 250_000;
    private static final int MAX_PARTITIONS = 4_096;

    private final Disk disk;
    private final Path directory;
    private final Partition[] partitions;

    private static final class Partition {
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_RECORDS * RECORD_BYTES);
        private @Nullable DiskFile file;
        private long size;
    }

    /** A reference, as often as holders have it. */
    record Counted(Fingerprint fingerprint, ChunkAddress address, int length, long references) {}

    /**
     * @param directory for files, made when the first is needed
     * @param expected about how many references there will be
     */
    ReferenceSpill(Disk disk, Path directory, long expected) {
        this.disk = disk;
        this.directory = directory;
        long count = Math.clamp(expected / PARTITION_REFERENCES, 1, MAX_PARTITIONS);
        this.partitions = new Partition[(int) count];
    }

    void add(Fingerprint fingerprint, ChunkAddress address, int length) {
        int number = (int) Math.unsignedMultiplyHigh(fingerprint.w0(), (long) partitions.length);
        Partition partition = partitions[number];
        if (partition == null) {
            partition = new Partition();
            partitions[number] = partition;
        }
        if (!partition.buffer.hasRemaining()) {
            combine(partition.buffer);
            if (partition.buffer.position() > partition.buffer.capacity() / 2) {
                flush(partition, number);
            }
        }
        fingerprint.write(partition.buffer);
        address.write(partition.buffer);
        partition.buffer.putInt(length).putLong(1);
    }

    /** Leaves one record for each key. */
    private static void combine(ByteBuffer buffer) {
        byte[] all = Arrays.copyOf(buffer.array(), buffer.position());
        buffer.clear();
        forEach(all, (first, references) -> buffer.put(all, first, KEY_BYTES).putLong(references));
    }

    /** Where the first record of each key is, in order of keys, and its references in all. */
    private interface Group {
        void found(int first, long references);
    }

    private static void forEach(byte[] all, Group group) {
        ByteBuffer in = ByteBuffer.wrap(all);
        Integer[] order = new Integer[all.length / RECORD_BYTES];
        Arrays.setAll(order, i -> i * RECORD_BYTES);
        Arrays.sort(
                order,
                (a, b) -> Arrays.compareUnsigned(all, a, a + KEY_BYTES, all, b, b + KEY_BYTES));
        for (int i = 0; i < order.length; ) {
            int first = order[i];
            long references = 0;
            while (i < order.length
                    && Arrays.equals(
                            all, first, first + KEY_BYTES, all, order[i], order[i] + KEY_BYTES)) {
                references += in.getLong(order[i] + KEY_BYTES);
                i++;
            }
            group.found(first, references);
        }
    }

    private void flush(Partition partition, int number) {
        try {
            DiskFile file = partition.file;
            if (file == null) {
                disk.createDirectories(directory);
                Path path = path(number);
                disk.delete(path);
                file = disk.create(path);
                partition.file = file;
            }
            int bytes = partition.buffer.flip().remaining();
            file.write(partition.buffer, partition.size);
            partition.size += bytes;
            partition.buffer.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path path(int number) {
        return directory.resolve("references-" + number);
    }

    int partitions() {
        return partitions.length;
    }

    /** All references of a partition, sorted by fingerprint, then address. */
    List<Counted> sorted(int number) {
        Partition partition = partitions[number];
        if (partition == null) {
            return List.of();
        }
        byte[] all = read(partition);
        List<Counted> counted = new ArrayList<>();
        forEach(
                all,
                (first, references) -> {
                    ByteBuffer in = ByteBuffer.wrap(all).position(first);
                    counted.add(
                            new Counted(
                                    Fingerprint.read(in),
                                    ChunkAddress.read(in),
                                    in.getInt(),
                                    references));
                });
        return counted;
    }

    private static byte[] read(Partition partition) {
        int buffered = partition.buffer.position();
        byte[] all = new byte[Math.toIntExact(partition.size + buffered)];
        partition.buffer.flip().get(all, (int) partition.size, buffered);
        DiskFile file = partition.file;
        if (file != null) {
            try {
                ByteBuffer target = ByteBuffer.wrap(all, 0, (int) partition.size);
                file.read(target, 0);
                if (target.hasRemaining()) {
                    throw new IOException("a file of references ends early");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all;
    }

    /** Deletes the files. */
    @Override
    public void close() {
        for (int number = 0; number < partitions.length; number++) {
            Partition partition = partitions[number];
            DiskFile file = partition == null ? null : partition.file;
            if (file != null) {
                try {
                    file.close();
                    disk.delete(path(number));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
