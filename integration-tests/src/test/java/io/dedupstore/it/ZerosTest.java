package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.AdminClient;
import io.dedupstore.client.admin.BucketReport;
import io.dedupstore.client.admin.NewBucket;
import io.dedupstore.client.admin.StatsReport;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** A hundred gibibytes of zeros cost next to nothing, and the ratio is exact. */
class ZerosTest {
    private static final long GIB = 1L << 30;
    private static final int COPIES = 100;

    @Test
    void ahundredGibibytesOfZerosShowTheirRatioExactly() throws IOException {
        try (ServerProcess server = ServerProcess.start("zeros");
                S3Client s3 = S3Clients.of(server);
                AdminClient admin = server.admin()) {
            admin.createBucket(new NewBucket("zeros", "fixed:128k", "off"));
            // One plain object: its MD5 is known, so a part copied of it need not be read.
            s3.putObject(
                    b -> b.bucket("zeros").key("gib"),
                    RequestBody.fromContentProvider(
                            ZeroStream::new, GIB, "application/octet-stream"));
            assemble(s3, "gib", "all", COPIES);
            s3.deleteObject(b -> b.bucket("zeros").key("gib"));

            StatsReport stats = admin.stats();
            BucketReport bucket = stats.buckets().getFirst();
            assertThat(bucket.usage().logicalBytes()).isEqualTo(COPIES * GIB);
            assertThat(bucket.usage().chunks()).isEqualTo(819_200);
            assertThat(bucket.usage().dedupRatio()).hasToString("819200.00");
            assertThat(stats.total().dedupRatio()).hasToString("819200.00");
            assertThat(stats.storage().indexBytes()).isPositive();
            assertThat(stats.storage().containerBytes()).isLessThan(1 << 20);
            Command command =
                    new Command(server.data()).with("JAVA_HOME", System.getProperty("java.home"));
            assertThat(
                            command.run(
                                    ServerProcess.dist().resolve("bin/dedup").toString(),
                                    "admin",
                                    "stats",
                                    "--data",
                                    server.data().toString()))
                    .contains("819200.00x", "100.00 GiB");
            byte[] tail =
                    s3.getObjectAsBytes(b -> b.bucket("zeros").key("all").range("bytes=-100000"))
                            .asByteArray();
            assertThat(tail).hasSize(100_000).containsOnly(0);
        }
    }

    private static void assemble(S3Client s3, String source, String target, int copies) {
        String upload = s3.createMultipartUpload(b -> b.bucket("zeros").key(target)).uploadId();
        List<CompletedPart> parts = new ArrayList<>();
        for (int number = 1; number <= copies; number++) {
            int part = number;
            String tag =
                    s3.uploadPartCopy(
                                    b ->
                                            b.sourceBucket("zeros")
                                                    .sourceKey(source)
                                                    .destinationBucket("zeros")
                                                    .destinationKey(target)
                                                    .uploadId(upload)
                                                    .partNumber(part))
                            .copyPartResult()
                            .eTag();
            parts.add(CompletedPart.builder().partNumber(part).eTag(tag).build());
        }
        s3.completeMultipartUpload(
                b ->
                        b.bucket("zeros")
                                .key(target)
                                .uploadId(upload)
                                .multipartUpload(m -> m.parts(parts)));
    }

    private static final class ZeroStream extends InputStream {
        private long left = GIB;

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(length, left);
            Arrays.fill(target, offset, offset + count, (byte) 0);
            left -= count;
            return count;
        }
    }
}
