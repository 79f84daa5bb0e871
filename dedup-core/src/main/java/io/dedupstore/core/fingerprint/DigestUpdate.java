package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One update of one digest: taken by exactly one thread, which then completes it. */
final class DigestUpdate {
    private final RunningDigest digest;
    private final ByteBuffer bytes;
    private final AtomicBoolean taken = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    /**
     * @param bytes this update's own view
     */
    DigestUpdate(RunningDigest digest, ByteBuffer bytes) {
        this.digest = digest;
        this.bytes = bytes;
    }

    /** The hash under which it can run beside others; null when it has to run alone. */
    @Nullable BlockHash sharedHash() {
        return digest instanceof NativeRunningDigest stream && bytes.isDirect()
                ? stream.hash()
                : null;
    }

    /** True for one caller only. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    boolean isTaken() {
        return taken.get();
    }

    void runAlone() {
        try {
            digest.update(bytes);
            done.countDown();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** Runs all, whose digests are native ones of this hash. */
    static void runTogether(BlockHash hash, List<DigestUpdate> updates, NativeDigest.Table table) {
        try {
            List<int[]> states = new ArrayList<>(updates.size());
            List<ByteBuffer> buffers = new ArrayList<>(updates.size());
            int[] blocks = new int[updates.size()];
            for (int i = 0; i < blocks.length; i++) {
                DigestUpdate update = updates.get(i);
                blocks[i] = update.stream().open(update.bytes);
                states.add(update.stream().state());
                buffers.add(update.bytes);
            }
            table.update(hash.kernel(), states, buffers, blocks);
            for (int i = 0; i < blocks.length; i++) {
                DigestUpdate update = updates.get(i);
                update.stream().close(update.bytes, blocks[i]);
                update.done.countDown();
            }
        } catch (RuntimeException | Error e) {
            updates.forEach(update -> update.fail(e));
        }
    }

    private NativeRunningDigest stream() {
        return (NativeRunningDigest) digest;
    }

    void fail(Throwable cause) {
        failure = cause;
        done.countDown();
    }

    /** Until nobody reads the buffer any more; an interrupt is kept for later. */
    void await() {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Nullable Throwable failure() {
        return failure;
    }
}
