package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

class VirtualHostTest {
    private static final Duration VALIDITY = Duration.ofMinutes(5);

    @TempDir private Path temporary;

    @Test
    void theHostNamesTheBucket() throws IOException {
        String curl = Clients.curl();
        try (ServerProcess server = ServerProcess.start("virtual-host", "--domain", "s3.test");
                S3Client s3 = S3Clients.of(server)) {
            s3.createBucket(b -> b.bucket("photos"));
            int port = server.credentials().s3Endpoint().getPort();
            URI endpoint = URI.create("http://s3.test:" + port);
            String resolve = "photos.s3.test:" + port + ":127.0.0.1";
            Path file = TestFiles.write(temporary.resolve("file"), 1, 50_000);
            Path back = temporary.resolve("back");
            Command command = new Command(temporary);
            try (S3Presigner presigner = S3Clients.presigner(server, endpoint, false)) {
                String put =
                        presigner
                                .presignPutObject(
                                        b ->
                                                b.signatureDuration(VALIDITY)
                                                        .putObjectRequest(
                                                                r -> r.bucket("photos").key("key")))
                                .url()
                                .toString();
                assertThat(put).startsWith("http://photos.s3.test:" + port + "/key?");
                command.run(
                        curl, "-sS", "--fail", "--resolve", resolve, "-T", file.toString(), put);
                String get =
                        presigner
                                .presignGetObject(
                                        b ->
                                                b.signatureDuration(VALIDITY)
                                                        .getObjectRequest(
                                                                r -> r.bucket("photos").key("key")))
                                .url()
                                .toString();
                command.run(
                        curl, "-sS", "--fail", "--resolve", resolve, "-o", back.toString(), get);
            }
            assertThat(TestFiles.sha256(back)).isEqualTo(TestFiles.sha256(file));
            assertThat(s3.headObject(b -> b.bucket("photos").key("key")).contentLength())
                    .isEqualTo(50_000);
        }
    }
}
