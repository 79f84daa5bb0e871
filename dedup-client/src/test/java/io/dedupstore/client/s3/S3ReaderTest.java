package io.dedupstore.client.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class S3ReaderTest {
    private static final List<String> ODD_KEYS =
            List.of(
                    "a b/c+d=e&f",
                    "a//double",
                    "ünïcode €",
                    "per%20cent",
                    "quote\"'<>",
                    "line\nbreak",
                    "..",
                    "~tilde*star");

    private FakeS3 server;
    private S3Reader reader;

    @BeforeEach
    void start() throws IOException {
        server = new FakeS3();
        reader = new S3Reader(server.connection(), InstantSource.system());
    }

    @AfterEach
    void stop() {
        reader.close();
        server.close();
    }

    @Test
    void aListingIsReadPageByPageAndEveryKeyCanBeRead() throws IOException {
        for (String key : ODD_KEYS) {
            server.objects.put(key, key.getBytes(StandardCharsets.UTF_8));
        }
        List<S3Object> listed = listAll("");
        assertThat(listed).extracting(S3Object::key).containsExactlyInAnyOrderElementsOf(ODD_KEYS);
        for (S3Object object : listed) {
            assertThat(read(object, 0, object.size()))
                    .isEqualTo(object.key().getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aPrefixIsRespected() throws IOException {
        for (String key : List.of("2025/a", "2026/a b", "2026/c", "2027/")) {
            server.objects.put(key, new byte[1]);
        }
        assertThat(listAll("2026/"))
                .extracting(S3Object::key)
                .containsExactly("2026/a b", "2026/c");
        assertThat(listAll("none")).isEmpty();
    }

    @Test
    void whereAConnectionBreaksTheNextOneGoesOn() throws IOException {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        server.objects.put("large", content);
        S3Object object = listAll("").getFirst();
        server.breaks.addAll(List.of(100_000, 0, 50_000));
        assertThat(read(object, 1_000, 299_000))
                .isEqualTo(Arrays.copyOfRange(content, 1_000, 299_000));
        assertThat(server.requests).hasSize(5);
        assertThat(server.requests.getLast()).endsWith("bytes=151000-298999");
    }

    @Test
    void aServerThatIsBusyIsAskedAgain() throws IOException {
        server.objects.put("a", new byte[] {1, 2, 3});
        server.failures.addAll(List.of(503, 500));
        S3Object object = listAll("").getFirst();
        server.failures.add(503);
        assertThat(read(object, 0, 3)).containsExactly(1, 2, 3);
        assertThat(server.requests).hasSize(5);
    }

    @Test
    void anObjectThatWasReplacedOrDeletedIsGone() throws IOException {
        server.objects.put("a", new byte[] {1});
        S3Object object = listAll("").getFirst();
        server.objects.put("a", new byte[] {2});
        assertFails(S3Exception.Code.OBJECT_GONE, () -> read(object, 0, 1));
        server.objects.remove("a");
        assertFails(S3Exception.Code.OBJECT_GONE, () -> read(object, 0, 1));
    }

    @Test
    void refusalsSayWhatIsWrong() {
        assertThatThrownBy(() -> reader.list("nobody", "", null))
                .hasMessage("there is no bucket nobody at " + server.endpoint());
        assertFails(S3Exception.Code.NO_SUCH_BUCKET, () -> reader.list("nobody", "", null));
        for (S3Credentials wrong :
                List.of(
                        new S3Credentials(FakeS3.ACCESS_KEY, "wrong", null),
                        new S3Credentials("WRONG", FakeS3.SECRET_KEY, null))) {
            assertDenied(new S3Connection(server.endpoint(), "us-east-1", wrong, false));
        }
        assertDenied(new S3Connection(server.endpoint(), "us-east-1", null, false));
        assertThat(server.requests).as("refusals are final").hasSize(5);
    }

    private static void assertDenied(S3Connection connection) {
        try (S3Reader other = new S3Reader(connection, InstantSource.system())) {
            assertFails(S3Exception.Code.ACCESS_DENIED, () -> other.list(FakeS3.BUCKET, "", null));
        }
    }

    @Test
    void whereNobodyListensItFailsAtOnce() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        S3Connection nowhere =
                new S3Connection(URI.create("http://127.0.0.1:" + port), "us-east-1", null, false);
        try (S3Reader other = new S3Reader(nowhere, InstantSource.system())) {
            assertThatThrownBy(() -> other.list("b", "", null))
                    .isInstanceOfSatisfying(
                            S3Exception.class,
                            e -> assertThat(e.code()).isEqualTo(S3Exception.Code.UNREACHABLE))
                    .hasMessageContaining("no server answers there");
        }
    }

    @Test
    void whatIsNoS3ServerIsToldApart() throws IOException {
        HttpServer web =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext(
                "/",
                exchange -> {
                    byte[] page =
                            "<html><body>Welcome</body></html>".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, page.length);
                    exchange.getResponseBody().write(page);
                    exchange.close();
                });
        web.start();
        S3Connection connection =
                new S3Connection(
                        URI.create("http://127.0.0.1:" + web.getAddress().getPort()),
                        "us-east-1",
                        null,
                        false);
        try (S3Reader other = new S3Reader(connection, InstantSource.system())) {
            assertFails(S3Exception.Code.NOT_S3, () -> other.list("b", "", null));
        } finally {
            web.stop(0);
        }
    }

    @Test
    void aConnectionKeepsItsSecret() {
        assertThat(server.connection().toString()).doesNotContain(FakeS3.SECRET_KEY);
        assertThatThrownBy(() -> new S3Connection(URI.create("ftp://x"), "r", null, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private List<S3Object> listAll(String prefix) throws IOException {
        List<S3Object> all = new ArrayList<>();
        String next = null;
        do {
            S3Page page = reader.list(FakeS3.BUCKET, prefix, next);
            all.addAll(page.objects());
            next = page.next();
        } while (next != null);
        return all;
    }

    private byte[] read(S3Object object, long from, long to) throws IOException {
        try (InputStream in = reader.read(FakeS3.BUCKET, object, from, to)) {
            return in.readAllBytes();
        }
    }

    private static void assertFails(S3Exception.Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
