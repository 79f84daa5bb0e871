package io.dedupstore.bench.workload;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * How fast a workload is made and checked by one thread, object after object. The rate is by the
 * thread's CPU time, so that other work on the machine does not count.
 *
 * @param what was done
 */
record Throughput(String what, long bytes, double wallSeconds, double cpuSeconds) {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final int WARM_UPS = 4;

    double gigabytesPerCpuSecond() {
        return bytes / cpuSeconds / 1e9;
    }

    double gigabytesPerSecond() {
        return bytes / wallSeconds / 1e9;
    }

    private interface Work {
        void run(WorkloadObject object, long offset, ByteBuffer buffer);
    }

    static Throughput generateHeap(Workload workload, long bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        return measure("generate, heap", workload, bytes, buffer, WorkloadObject::fill);
    }

    static Throughput generateDirect(Workload workload, long bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        return measure("generate, direct", workload, bytes, buffer, WorkloadObject::fill);
    }

    static Throughput generateAndVerify(Workload workload, long bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        Work work =
                (object, offset, target) -> {
                    object.fill(offset, target);
                    Optional<Mismatch> mismatch = object.verify(offset, target.flip());
                    if (mismatch.isPresent()) {
                        throw new IllegalStateException(mismatch.get().toString());
                    }
                };
        return measure("generate and verify", workload, bytes, buffer, work);
    }

    private static Throughput measure(
            String what, Workload workload, long bytes, ByteBuffer buffer, Work work) {
        for (int i = 0; i < WARM_UPS; i++) {
            run(workload, bytes / WARM_UPS / 2, buffer, work);
        }
        long cpu = cpuNanos();
        long wall = System.nanoTime();
        long done = run(workload, bytes, buffer, work);
        return new Throughput(
                what, done, (System.nanoTime() - wall) / 1e9, (cpuNanos() - cpu) / 1e9);
    }

    private static long run(Workload workload, long bytes, ByteBuffer buffer, Work work) {
        long done = 0;
        for (long number = 0; done < bytes; number = (number + 1) % workload.spec().objects()) {
            WorkloadObject object = workload.object(number);
            for (long at = 0; at < object.length() && done < bytes; ) {
                int some = (int) Math.min(buffer.capacity(), object.length() - at);
                work.run(object, at, buffer.clear().limit(some));
                at += some;
                done += some;
            }
        }
        return done;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
