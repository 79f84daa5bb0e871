package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeSha256;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Runs calls on a primary's thread, with tables of its own. */
final class PrimaryKernels {
    private final NativeSha256.Table table = new NativeSha256.Table();
    private final StreamLanes lanes = new StreamLanes();
    private final KeyedDigests nativeKeyed = KeyedDigests.ofNative(table);
    private final KeyedDigests jdkKeyed = KeyedDigests.ofJdk();

    KeyedDigests keyed(boolean usesNative) {
        return usesNative ? nativeKeyed : jdkKeyed;
    }

    /**
     * Runs a segment of each job, and ends those that have no further one.
     *
     * @param driver of streams, index in the kernel's drivers
     * @param width lanes of the kernel
     * @param more whether further jobs wait for lanes
     */
    void run(JobQueue queue, int driver, List<DigestJob> jobs, int width, boolean more) {
        switch (queue.kind()) {
            case MESSAGES -> runMessages(jobs);
            case STREAMS -> lanes.run(queue.hash(), driver, jobs, width, more);
            case ALONE -> jobs.forEach(StreamLanes::runAlone);
        }
        for (DigestJob job : jobs) {
            if (job.isRun()) {
                job.end();
            }
        }
    }

    private void runMessages(List<DigestJob> jobs) {
        List<ByteBuffer> buffers = new ArrayList<>(jobs.size());
        jobs.forEach(job -> buffers.add(job.bytes()));
        byte[] packed = new byte[jobs.size() * HashEngine.SHA256_LENGTH];
        table.sha256(buffers, packed, 0);
        int at = 0;
        for (DigestJob job : jobs) {
            job.putDigest(packed, at);
            job.bytes().position(job.bytes().limit());
            at += HashEngine.SHA256_LENGTH;
        }
    }
}
