package io.dedupstore.client.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Verifier;
import io.dedupstore.core.sigv4.SignatureClaim;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/**
 * One bucket in memory behind real HTTP. Believes only genuine signatures; pages are short; answers
 * and bodies can be made to fail.
 */
public final class FakeS3 implements AutoCloseable {
    public static final String ACCESS_KEY = "READER";
    public static final String SECRET_KEY = "a-secret-for-the-test";
    public static final String BUCKET = "photos";
    private static final int PAGE = 3;

    public final Map<String, byte[]> objects = new TreeMap<>();

    /** Keys that may be listed but not read. */
    public final Set<String> unreadable = new HashSet<>();

    final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    /** Statuses that the next requests are answered with, whatever they ask. */
    final ConcurrentLinkedQueue<Integer> failures = new ConcurrentLinkedQueue<>();

    /** After how many bytes the next bodies break. */
    final ConcurrentLinkedQueue<Integer> breaks = new ConcurrentLinkedQueue<>();

    private final SigV4Verifier verifier = new SigV4Verifier("us-east-1");
    private final HttpServer server;

    public FakeS3() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public S3Connection connection() {
        return new S3Connection(
                endpoint(), "us-east-1", new S3Credentials(ACCESS_KEY, SECRET_KEY, null), false);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String target = exchange.getRequestURI().toString();
            String range = exchange.getRequestHeaders().getFirst("Range");
            requests.add(range == null ? target : target + " " + range);
            Integer failure = failures.poll();
            if (failure != null) {
                refuse(exchange, failure, "SlowDown");
                return;
            }
            String denied = denied(exchange, target);
            if (!denied.isEmpty()) {
                refuse(exchange, 403, denied);
                return;
            }
            String path = "/" + BUCKET;
            if (target.startsWith(path + "?")) {
                list(exchange, target.substring(path.length() + 1));
            } else if (target.startsWith(path + "/")) {
                get(exchange, decode(target.substring(path.length() + 1)), range);
            } else {
                refuse(exchange, 404, "NoSuchBucket");
            }
        }
    }

    private String denied(HttpExchange exchange, String target) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.add(Map.entry(name, values.getFirst())));
        RequestHead head = new RequestHead("GET", target, headers);
        Optional<SignatureClaim> claim = verifier.parse(head);
        if (claim.isEmpty()) {
            return "AccessDenied";
        }
        if (!claim.get().accessKey().equals(ACCESS_KEY)) {
            return "InvalidAccessKeyId";
        }
        try {
            byte[] secret = SECRET_KEY.getBytes(StandardCharsets.UTF_8);
            verifier.verify(head, claim.get(), Optional.of(secret), Instant.now());
            return "";
        } catch (RuntimeException e) {
            return "SignatureDoesNotMatch";
        }
    }

    private void list(HttpExchange exchange, String query) throws IOException {
        String prefix = "";
        String after = "";
        for (String parameter : query.split("&")) {
            String value = decode(parameter.substring(parameter.indexOf('=') + 1));
            if (parameter.startsWith("prefix=")) {
                prefix = value;
            } else if (parameter.startsWith("continuation-token=")) {
                after = new String(Base64.getUrlDecoder().decode(value), StandardCharsets.UTF_8);
            }
        }
        StringBuilder xml =
                new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
                        .append(
                                "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">")
                        .append("<Name>photos</Name><EncodingType>url</EncodingType>");
        int count = 0;
        boolean truncated = false;
        String last = "";
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
            if (!object.getKey().startsWith(prefix) || object.getKey().compareTo(after) <= 0) {
                continue;
            }
            if (count++ == PAGE) {
                truncated = true;
                break;
            }
            last = object.getKey();
            xml.append("<Contents><Key>")
                    .append(URLEncoder.encode(last, StandardCharsets.UTF_8))
                    .append("</Key><ETag>&quot;")
                    .append(etag(object.getValue()))
                    .append("&quot;</ETag><Size>")
                    .append(object.getValue().length)
                    .append("</Size><Owner><ID>me</ID></Owner></Contents>");
        }
        xml.append("<IsTruncated>").append(truncated).append("</IsTruncated>");
        if (truncated) {
            byte[] token = last.getBytes(StandardCharsets.UTF_8);
            xml.append("<NextContinuationToken>")
                    .append(Base64.getUrlEncoder().encodeToString(token))
                    .append("</NextContinuationToken>");
        }
        answer(exchange, 200, xml.append("</ListBucketResult>").toString());
    }

    private void get(HttpExchange exchange, String key, String range) throws IOException {
        byte[] content = objects.get(key);
        if (content == null) {
            refuse(exchange, 404, "NoSuchKey");
            return;
        }
        if (unreadable.contains(key)) {
            refuse(exchange, 403, "InvalidObjectState");
            return;
        }
        String wanted = exchange.getRequestHeaders().getFirst("If-Match");
        if (wanted != null && !wanted.equals("\"" + etag(content) + "\"")) {
            refuse(exchange, 412, "PreconditionFailed");
            return;
        }
        String[] limits = range.substring("bytes=".length()).split("-");
        int from = Integer.parseInt(limits[0]);
        int to = Integer.parseInt(limits[1]) + 1;
        exchange.sendResponseHeaders(206, to - from);
        Integer breakAfter = breaks.poll();
        int end = breakAfter == null ? to : Math.min(to, from + breakAfter);
        exchange.getResponseBody().write(content, from, end - from);
        // Closing before all was sent breaks the connection.
    }

    private static String etag(byte[] content) {
        return Integer.toHexString(Arrays.hashCode(content));
    }

    private static void refuse(HttpExchange exchange, int status, String code) throws IOException {
        answer(
                exchange,
                status,
                "<Error><Code>" + code + "</Code><Message>because</Message></Error>");
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
