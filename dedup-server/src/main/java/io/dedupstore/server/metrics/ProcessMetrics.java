package io.dedupstore.server.metrics;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Memory, CPU and files of this process. What the platform can't tell is NaN or left out. */
public final class ProcessMetrics {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path FILES = Path.of("/proc/self/fd");
    private static final double KIB = 1024;

    private ProcessMetrics() {}

    public static void register(MetricRegistry registry) {
        registry.gauge(
                "process_resident_memory_bytes", "Resident memory.", ProcessMetrics::resident);
        registry.gauge("process_open_fds", "Open file descriptors.", ProcessMetrics::openFiles);
        registry.gauge(
                "process_start_time_seconds", "Start, as Unix time.", ProcessMetrics::startSeconds);
        registry.counter(
                "process_cpu_seconds_total", "User and system CPU time.", ProcessMetrics::cpu);
        registry.gauge(
                "jvm_heap_used_bytes",
                "Java heap in use, garbage included.",
                () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        registry.gauge(
                "jvm_heap_limit_bytes",
                "What the Java heap may grow to.",
                () -> Runtime.getRuntime().maxMemory());
        registry.gauges(
                "jvm_buffers_used_bytes",
                "Buffers outside the Java heap that the JVM counts.",
                ProcessMetrics::buffers);
        registry.counter(
                "jvm_gc_seconds_total",
                "Time in garbage collection.",
                () ->
                        ManagementFactory.getGarbageCollectorMXBeans().stream()
                                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                                        .sum()
                                / 1e3);
        registry.gauge(
                "jvm_threads",
                "Live platform threads.",
                () -> ManagementFactory.getThreadMXBean().getThreadCount());
    }

    private static double resident() {
        try {
            return Files.readAllLines(STATUS).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                            .sum()
                    * KIB;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    private static double openFiles() {
        long count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(FILES)) {
            for (Path entry : entries) {
                count += entry.getNameCount() > 0 ? 1 : 0;
            }
        } catch (IOException e) {
            return Double.NaN;
        }
        return count;
    }

    private static double startSeconds() {
        return ProcessHandle.current()
                .info()
                .startInstant()
                .map(Instant::toEpochMilli)
                .map(millis -> millis / 1e3)
                .orElse(Double.NaN);
    }

    private static double cpu() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toMillis)
                .map(millis -> millis / 1e3)
                .orElse(Double.NaN);
    }

    private static List<Sample> buffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .map(
                        pool ->
                                Sample.of(
                                        pool.getMemoryUsed(),
                                        new Sample.Label("pool", pool.getName())))
                .collect(Collectors.toList());
    }
}
