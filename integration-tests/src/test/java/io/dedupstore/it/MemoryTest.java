package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Many large uploads at once stay within the memory that the defaults allow. */
class MemoryTest {
    private static final long BOUND_BYTES = 1_200L << 20;
    private static final int UPLOADS = 64;
    private static final int SLOW_DOWN = 503;

    @Test
    void parallelUploadsStayWithinTheBound() throws IOException, InterruptedException {
        int bytes = LongRun.choose(8 << 20, 64 << 20);
        AtomicInteger slowDowns = new AtomicInteger();
        try (ServerProcess server = ServerProcess.start("memory");
                S3Client s3 = S3Clients.withoutRetries(server);
                ExecutorService threads = Executors.newFixedThreadPool(UPLOADS)) {
            s3.createBucket(b -> b.bucket("memory"));
            List<Future<?>> uploads = new ArrayList<>();
            for (int i = 0; i < UPLOADS; i++) {
                int seed = i;
                uploads.add(threads.submit(() -> upload(s3, seed, bytes, slowDowns)));
            }
            for (Future<?> upload : uploads) {
                await(upload);
            }
            long peak = server.peakResidentBytes();
            System.getLogger("memory")
                    .log(
                            System.Logger.Level.INFO,
                            "%d uploads of %d MiB: peak %d MiB, %d times SlowDown"
                                    .formatted(UPLOADS, bytes >> 20, peak >> 20, slowDowns.get()));
            assertThat(peak).isLessThan(BOUND_BYTES);
            for (int i = 0; i < UPLOADS; i += 9) {
                int seed = i;
                String hash =
                        TestFiles.sha256(
                                s3.getObject(b -> b.bucket("memory").key("object-" + seed)));
                assertThat(hash).isEqualTo(TestFiles.sha256(TestFiles.bytes(seed, bytes)));
            }
        }
    }

    /** A SlowDown is documented; anything else fails the test. */
    private static void upload(S3Client s3, int seed, int bytes, AtomicInteger slowDowns) {
        RequestBody body =
                RequestBody.fromContentProvider(
                        () -> new RandomStream(seed, bytes), bytes, "application/octet-stream");
        while (true) {
            try {
                s3.putObject(b -> b.bucket("memory").key("object-" + seed), body);
                return;
            } catch (S3Exception e) {
                if (e.statusCode() != SLOW_DOWN) {
                    throw e;
                }
                slowDowns.incrementAndGet();
            }
        }
    }

    private static void await(Future<?> upload) throws InterruptedException {
        try {
            upload.get();
        } catch (ExecutionException e) {
            throw new AssertionError("an upload failed", e.getCause());
        }
    }
}
