package io.dedupstore.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM lets buffers outside the heap have. */
final class DirectMemory {
    private static final long MIB = 1L << 20;

    private DirectMemory() {}

    /** The limit in bytes: as set by the flag, or else as large as the heap may become. */
    static long limitBytes() {
        String value =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .getVMOption("MaxDirectMemorySize")
                        .getValue();
        long flag = Long.parseLong(value);
        return flag > 0 ? flag : Runtime.getRuntime().maxMemory();
    }

    /**
     * @throws StartException the buffers of requests alone would need more than there may be
     */
    static void check(long requestBytes, long limitBytes) {
        if (requestBytes >= limitBytes) {
            throw new StartException(
                    "memory.requests is %d MiB, but this JVM may have only %d MiB outside the heap: lower it, or start with DEDUP_JAVA_OPTS=-XX:MaxDirectMemorySize=%dm"
                            .formatted(
                                    requestBytes / MIB,
                                    limitBytes / MIB,
                                    2 * (requestBytes / MIB)));
        }
    }
}
