package io.dedupstore.bench.index;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What has been used so far, as Linux counts it.
 *
 * <p>Not {@code write_bytes} of /proc/self/io: kernels whose page cache has large folios count all
 * of a folio, up to 2 MiB, when one page of it is written, though no more than the page reaches the
 * device.
 *
 * @param nanos of a clock that only differences mean something of
 * @param cpuNanos user and system time of this process
 * @param writtenBytes that this process handed to write calls ({@code wchar} of /proc/self/io)
 * @param deviceWrittenBytes that the device of the data took, whoever they came from: whole pages,
 *     the file system's own journal, and whatever else runs on the machine
 * @param readBytes that this process had to have read from a device
 */
record Counters(
        long nanos, long cpuNanos, long writtenBytes, long deviceWrittenBytes, long readBytes) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int SECTOR_BYTES = 512;
    private static final int SECTORS_WRITTEN = 6;

    /**
     * @param directory on the device that is asked
     */
    static Counters now(Path directory) {
        try {
            long written = 0;
            long read = 0;
            for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
                String[] words = line.split(": ", 2);
                switch (words[0]) {
                    case "wchar" -> written = Long.parseLong(words[1]);
                    case "read_bytes" -> read = Long.parseLong(words[1]);
                    default -> {}
                }
            }
            return new Counters(
                    System.nanoTime(),
                    SYSTEM.getProcessCpuTime(),
                    written,
                    deviceWrittenBytes(directory),
                    read);
        } catch (IOException e) {
            throw new UncheckedIOException("this benchmark needs Linux' /proc and /sys", e);
        }
    }

    /** 0 where the file system has no device of its own, as in memory. */
    private static long deviceWrittenBytes(Path directory) throws IOException {
        long device = (Long) Files.getAttribute(directory, "unix:dev");
        long major = (device >>> 8) & 0xfff;
        long minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
        Path file = Path.of("/sys/dev/block/" + major + ":" + minor + "/stat");
        if (!Files.exists(file)) {
            return 0;
        }
        List<String> words = List.of(Files.readString(file).trim().split("\\s+"));
        return Long.parseLong(words.get(SECTORS_WRITTEN)) * SECTOR_BYTES;
    }

    Counters since(Counters earlier) {
        return new Counters(
                nanos - earlier.nanos,
                cpuNanos - earlier.cpuNanos,
                writtenBytes - earlier.writtenBytes,
                deviceWrittenBytes - earlier.deviceWrittenBytes,
                readBytes - earlier.readBytes);
    }

    Counters plus(Counters more) {
        return new Counters(
                nanos + more.nanos,
                cpuNanos + more.cpuNanos,
                writtenBytes + more.writtenBytes,
                deviceWrittenBytes + more.deviceWrittenBytes,
                readBytes + more.readBytes);
    }

    double seconds() {
        return nanos / 1e9;
    }

    double cpuSeconds() {
        return cpuNanos / 1e9;
    }
}
