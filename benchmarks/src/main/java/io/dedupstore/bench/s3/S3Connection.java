package io.dedupstore.bench.s3;

import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Signer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * One keep-alive connection that speaks just enough HTTP to load a store without costing much
 * itself. One thread.
 */
final class S3Connection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final SigV4Signer signer;
    private final String host;
    private final byte[] drain = new byte[256 << 10];

    S3Connection(URI endpoint, SigV4Signer signer) throws IOException {
        this.socket = new Socket(endpoint.getHost(), endpoint.getPort());
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
        this.out = socket.getOutputStream();
        this.signer = signer;
        this.host = endpoint.getAuthority();
    }

    /** Sends a request with a body of known bytes; answers the length of the response's body. */
    long send(String method, String target, byte[] body, int expectedStatus) throws IOException {
        return exchange(method, target, body, expectedStatus, OutputStream.nullOutputStream());
    }

    /** Answers the text that a GET is answered with. */
    String text(String target) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        exchange("GET", target, new byte[0], 200, text);
        return text.toString(StandardCharsets.UTF_8);
    }

    private long exchange(
            String method, String target, byte[] body, int expectedStatus, OutputStream answer)
            throws IOException {
        PayloadMode payload = new PayloadMode.SignedHash(sha256(body));
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        headers.add(Map.entry("host", host));
        RequestHead head =
                signer.sign(new RequestHead(method, target, headers), payload, Instant.now())
                        .head();
        StringBuilder text = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        head.headers().forEach(h -> text.append(h.getKey() + ": " + h.getValue() + "\r\n"));
        text.append("content-length: " + body.length + "\r\n\r\n");
        out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        out.write(body);
        out.flush();
        return receive(expectedStatus, answer);
    }

    private long receive(int expectedStatus, OutputStream answer) throws IOException {
        String status = line();
        long length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Long.parseLong(header.substring(15).strip());
            }
        }
        long left = length;
        StringBuilder error = new StringBuilder();
        while (left > 0) {
            int got = in.read(drain, 0, (int) Math.min(left, drain.length));
            if (got < 0) {
                throw new IOException("connection closed " + left + " bytes early");
            }
            if (!status.contains(" " + expectedStatus + " ") && error.length() < 2000) {
                error.append(new String(drain, 0, got, StandardCharsets.UTF_8));
            }
            answer.write(drain, 0, got);
            left -= got;
        }
        if (!status.contains(" " + expectedStatus + " ")) {
            throw new IOException(status + " " + error);
        }
        return length;
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("connection closed");
            }
            if (c != '\r') {
                text.append((char) c);
            }
        }
        return text.toString();
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
