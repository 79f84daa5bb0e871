package io.dedupstore.it;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Asks a server for its certificate, so that clients can be told to trust exactly that one. */
final class Tls {
    private Tls() {}

    static Certificate certificateOf(URI endpoint) throws IOException {
        try (SSLSocket socket =
                (SSLSocket)
                        trustingAll()
                                .getSocketFactory()
                                .createSocket(endpoint.getHost(), endpoint.getPort())) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    /** Writes the endpoint's certificate as PEM; clients take the file as their CA bundle. */
    static Path writeCertificate(URI endpoint, Path file) throws IOException {
        try {
            byte[] line = "\n".getBytes(StandardCharsets.US_ASCII);
            return Files.writeString(
                    file,
                    "-----BEGIN CERTIFICATE-----\n"
                            + Base64.getMimeEncoder(64, line)
                                    .encodeToString(certificateOf(endpoint).getEncoded())
                            + "\n-----END CERTIFICATE-----\n");
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    static TrustManager[] trusting(Certificate certificate) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("server", certificate);
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Opens a connection that believes any certificate. */
    static HttpURLConnection open(URL url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        if (connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(trustingAll().getSocketFactory());
            secure.setHostnameVerifier((host, session) -> true);
        }
        return connection;
    }

    static SSLContext trustingAll() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAll()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
