package io.dedupstore.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TlsTest {
    private @TempDir Path dir;

    private Path certificate() {
        return dir.resolve("cert.pem");
    }

    private Path key() {
        return dir.resolve("key.pem");
    }

    private void generate(String name) throws IOException {
        Files.deleteIfExists(certificate());
        SelfSignedCertificate.writeIfAbsent(
                certificate(),
                key(),
                List.of(name, "localhost", "127.0.0.1", "::1"),
                Instant.now());
    }

    private X509Certificate stored() throws Exception {
        try (InputStream in = Files.newInputStream(certificate())) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private RawClient connect(HttpServer server, X509Certificate trusted, String... protocols)
            throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("server", trusted);
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket("localhost", server.boundAddress().getPort());
        if (protocols.length > 0) {
            socket.setEnabledProtocols(protocols);
        }
        socket.startHandshake();
        return new RawClient(socket);
    }

    private static HttpServer serve(TlsSource tls) throws IOException {
        return HttpServer.start(
                HttpServerConfig.of("tls", new InetSocketAddress("127.0.0.1", 0)).withTls(tls),
                exchange -> {
                    ByteBuffer body = ByteBuffer.allocate(4_000_000);
                    while (exchange.body().read(body) > 0) {}
                    byte[] bytes = new byte[body.flip().remaining()];
                    body.get(bytes);
                    assertThat(exchange.secure()).isTrue();
                    exchange.respond(200, ResponseHeaders.create(), bytes);
                });
    }

    @Test
    void servesRequestsOverTls() throws Exception {
        generate("store.test");
        byte[] data = new byte[3_000_000];
        new Random(3).nextBytes(data);
        try (TlsSource tls = TlsSource.pemFiles(certificate(), key(), Duration.ofHours(1));
                HttpServer server = serve(tls)) {
            for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
                try (RawClient client = connect(server, stored(), protocol)) {
                    client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n");
                    client.send(data);
                    assertThat(client.response().body()).isEqualTo(data);
                    assertThat(client.get("/").response().status()).isEqualTo(200);
                    client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
                    assertThat(client.response().status()).isEqualTo(200);
                    assertThat(client.closed()).isTrue();
                }
            }
        }
    }

    @Test
    void picksUpARenewedCertificateAndSurvivesABrokenOne() throws Exception {
        generate("old.test");
        X509Certificate old = stored();
        try (TlsSource tls = TlsSource.pemFiles(certificate(), key(), Duration.ofMillis(50));
                HttpServer server = serve(tls)) {
            Files.writeString(key(), "half a ke");
            try (RawClient client = connect(server, old)) {
                assertThat(client.get("/").response().status()).isEqualTo(200);
            }
            generate("new.test");
            X509Certificate renewed = stored();
            assertThat(renewed).isNotEqualTo(old);
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            boolean served = false;
            while (!served) {
                assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
                try (RawClient client = connect(server, renewed)) {
                    served = client.get("/").response().status() == 200;
                } catch (SSLException e) {
                    Thread.yield();
                }
            }
        }
    }

    @Test
    void clientsThatSpeakPlainHttpAreDropped() throws Exception {
        generate("store.test");
        try (TlsSource tls = TlsSource.pemFiles(certificate(), key(), Duration.ofHours(1));
                HttpServer server = serve(tls);
                RawClient client = new RawClient(server.boundAddress())) {
            client.get("/");
            assertThatThrownBy(client::response).isInstanceOf(IOException.class);
        }
    }

    @Test
    void unusableFilesFailTheStart() throws Exception {
        generate("store.test");
        Files.writeString(key(), "not a key");
        assertThatThrownBy(() -> TlsSource.pemFiles(certificate(), key(), Duration.ofHours(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("key.pem");
    }

    @Test
    void aGeneratedKeyIsItsOwnersOnlyAndIsKept() throws Exception {
        generate("store.test");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key())))
                .isEqualTo("rw-------");
        X509Certificate first = stored();
        assertThat(first.getSubjectAlternativeNames()).hasSize(4);
        SelfSignedCertificate.writeIfAbsent(
                certificate(), key(), List.of("other.test"), Instant.now());
        assertThat(stored()).isEqualTo(first);
    }
}
