package io.dedupstore.server.http;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificate chain and key from PEM files, read again when their content changes, so that renewals
 * need no restart. Files that can't be used (a renewal half written, a key that does not fit) leave
 * the last good pair in service and are tried again. TLS 1.2 and 1.3 with forward secrecy and AEAD
 * ciphers; BoringSSL where its native library loads, else the JDK's TLS. Safe for many threads; one
 * source may serve many ports.
 */
public final class TlsSource implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TlsSource.class);
    private static final List<String> CIPHERS =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private record Pem(byte[] certificates, byte[] key) {
        boolean sameAs(Pem other) {
            return Arrays.equals(certificates, other.certificates) && Arrays.equals(key, other.key);
        }
    }

    private final Path certificateFile;
    private final Path keyFile;
    private final ScheduledExecutorService watcher;
    private Pem loaded;
    private volatile SslContext context;

    private TlsSource(Path certificateFile, Path keyFile, Duration checkEvery) throws IOException {
        this.certificateFile = certificateFile;
        this.keyFile = keyFile;
        this.loaded = read();
        this.context = build(loaded);
        this.watcher =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("tls-files").factory());
        long millis = checkEvery.toMillis();
        var unused =
                watcher.scheduleWithFixedDelay(this::reload, millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * @param certificateFile the server's certificate, then those of its issuers
     * @param keyFile an unencrypted PKCS #8 private key
     * @throws IOException if the files can't be read or do not hold a usable pair
     */
    public static TlsSource pemFiles(Path certificateFile, Path keyFile, Duration checkEvery)
            throws IOException {
        return new TlsSource(certificateFile, keyFile, checkEvery);
    }

    /** The library in use, for logs. */
    public static String provider() {
        return OpenSsl.isAvailable() ? "BoringSSL" : "JDK";
    }

    SslContext context() {
        return context;
    }

    @Override
    public void close() {
        watcher.shutdownNow();
    }

    private Pem read() throws IOException {
        return new Pem(Files.readAllBytes(certificateFile), Files.readAllBytes(keyFile));
    }

    private void reload() {
        try {
            Pem found = read();
            if (!found.sameAs(loaded)) {
                context = build(found);
                loaded = found;
                log.info("TLS certificate reloaded from {}", certificateFile);
            }
        } catch (IOException | RuntimeException e) {
            log.warn(
                    "TLS files {} and {} can't be used, the certificate in service stays: {}",
                    certificateFile,
                    keyFile,
                    e.getMessage());
        }
    }

    private SslContext build(Pem pem) throws IOException {
        try {
            return SslContextBuilder.forServer(
                            new ByteArrayInputStream(pem.certificates()),
                            new ByteArrayInputStream(pem.key()))
                    .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .build();
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "no usable certificate and key in %s and %s: %s"
                            .formatted(certificateFile, keyFile, e.getMessage()),
                    e);
        }
    }
}
