package io.dedupstore.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VirtualHostTest {
    @TempDir private Path temporary;

    @Test
    void theHostNamesTheBucket() throws IOException {
        String curl = Clients.curl();
        try (ServerProcess server = ServerProcess.start("virtual-host", "--domain", "s3.test")) {
            Path file = TestFiles.write(temporary.resolve("file"), 1, 50_000);
            String[] signed = signed(curl, server);
            Command command = new Command(temporary);
            URI endpoint = server.credentials().s3Endpoint();
            String bucket = "http://photos.s3.test:" + endpoint.getPort();
            String whole = "http://s3.test:" + endpoint.getPort();
            command.run(with(signed, "-X", "PUT", bucket + "/"));
            command.run(with(signed, "-T", file.toString(), bucket + "/key"));
            Path back = temporary.resolve("back");
            command.run(with(signed, "-o", back.toString(), whole + "/photos/key"));
            assertThat(TestFiles.sha256(back)).isEqualTo(TestFiles.sha256(file));
            assertThat(command.run(with(signed, whole + "/"))).contains("<Name>photos</Name>");
        }
    }

    private static String[] signed(String curl, ServerProcess server) throws IOException {
        Credentials credentials = server.credentials();
        int port = credentials.s3Endpoint().getPort();
        return new String[] {
            curl,
            "--silent",
            "--show-error",
            "--fail",
            "--aws-sigv4",
            "aws:amz:us-east-1:s3",
            "--user",
            credentials.accessKey() + ":" + credentials.secretKey(),
            "--resolve",
            "s3.test:" + port + ":127.0.0.1",
            "--resolve",
            "photos.s3.test:" + port + ":127.0.0.1"
        };
    }

    private static String[] with(String[] command, String... more) {
        String[] all = Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        return all;
    }
}
