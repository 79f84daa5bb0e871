package io.dedupstore.server.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A client that sends exactly what it is told to and reads responses strictly. */
final class RawClient implements AutoCloseable {
    record Response(int status, List<String> headers, byte[] body) {
        String header(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ": ";
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .findFirst()
                    .orElse("");
        }

        String text() {
            return new String(body, StandardCharsets.ISO_8859_1);
        }
    }

    private final Socket socket;
    private final InputStream in;

    RawClient(InetSocketAddress address) throws IOException {
        this(connect(address));
    }

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(10_000);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(address);
        return socket;
    }

    Socket socket() {
        return socket;
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    RawClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
    }

    Response response() throws IOException {
        return response("GET");
    }

    Response response(String method) throws IOException {
        String statusLine = line();
        int status = Integer.parseInt(statusLine.split(" ")[1]);
        List<String> headers = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            headers.add(line);
        }
        Response head = new Response(status, headers, new byte[0]);
        boolean bodiless = method.equals("HEAD") || status < 200 || status == 204 || status == 304;
        return bodiless ? head : new Response(status, headers, body(head));
    }

    private byte[] body(Response head) throws IOException {
        if (!head.header("content-length").isEmpty()) {
            return exactly(Integer.parseInt(head.header("content-length")));
        }
        if (!head.header("transfer-encoding").equals("chunked")) {
            return in.readAllBytes();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            out.writeBytes(exactly(size));
            expectEmptyLine();
        }
        expectEmptyLine();
        return out.toByteArray();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private void expectEmptyLine() throws IOException {
        if (!line().isEmpty()) {
            throw new IOException("no CRLF where one is due");
        }
    }

    byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("got " + bytes.length + " of " + count + " bytes");
        }
        return bytes;
    }

    /** True if the server has closed; anything it still sends is an error. */
    boolean closed() throws IOException {
        int next = in.read();
        if (next >= 0) {
            throw new IOException("unexpected byte " + next);
        }
        return true;
    }

    private String line() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("connection closed after \"" + out + "\"");
            }
            out.write(b);
        }
        String line = out.toString(StandardCharsets.ISO_8859_1);
        if (!line.endsWith("\r")) {
            throw new IOException("bare LF");
        }
        return line.substring(0, line.length() - 1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
