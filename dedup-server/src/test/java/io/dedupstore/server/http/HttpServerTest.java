package io.dedupstore.server.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HttpServerTest {
    private static final ResponseHeaders NONE = ResponseHeaders.create();

    private @Nullable HttpServer server;

    @AfterEach
    void stop() {
        HttpServer running = server;
        if (running != null) {
            running.close();
            assertThat(running.stats().bufferedBodyBytes()).isZero();
            assertThat(running.stats().openConnections()).isZero();
            assertThat(running.stats().activeRequests()).isZero();
        }
    }

    private static HttpServerConfig config() {
        return HttpServerConfig.of("test", new InetSocketAddress("127.0.0.1", 0));
    }

    private HttpServer serve(HttpHandler handler) throws IOException {
        return serve(config(), handler);
    }

    private HttpServer serve(HttpServerConfig config, HttpHandler handler) throws IOException {
        HttpServer started = HttpServer.start(config, handler);
        server = started;
        return started;
    }

    private RawClient client() throws IOException {
        return new RawClient(requireNonNull(server).boundAddress());
    }

    private static byte[] readAll(RequestBody body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer dst = ByteBuffer.allocate(100_000);
        while (body.read(dst) >= 0) {
            out.write(dst.array(), 0, dst.position());
            dst.clear();
        }
        return out.toByteArray();
    }

    private static void echo(HttpExchange exchange) throws IOException {
        exchange.respond(200, NONE, readAll(exchange.body()));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] random(int bytes) {
        byte[] data = new byte[bytes];
        new Random(7).nextBytes(data);
        return data;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    @Test
    void keepsAConnectionForFurtherRequests() throws Exception {
        serve(
                x ->
                        x.respond(
                                200,
                                ResponseHeaders.create().add("X-T", x.rawTarget()),
                                ascii(x.method())));
        try (RawClient client = client()) {
            for (int i = 0; i < 3; i++) {
                RawClient.Response response = client.get("/" + i + "?a=%2F").response();
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.header("x-t")).isEqualTo("/" + i + "?a=%2F");
                assertThat(response.header("date")).endsWith(" GMT");
                assertThat(response.header("server")).isEqualTo("DedupStore");
                assertThat(response.header("connection")).isEmpty();
                assertThat(response.text()).isEqualTo("GET");
            }
            client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertThat(client.response().header("connection")).isEqualTo("close");
            assertThat(client.closed()).isTrue();
        }
    }

    @Test
    void answersPipelinedRequestsOneByOneInOrder() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicBoolean overlapped = new AtomicBoolean();
        serve(
                x -> {
                    if (running.incrementAndGet() > 1) {
                        overlapped.set(true);
                    }
                    byte[] body = readAll(x.body());
                    running.decrementAndGet();
                    x.respond(200, NONE, body);
                });
        try (RawClient client = client()) {
            StringBuilder wire = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                String body = "request " + i;
                wire.append("PUT /k HTTP/1.1\r\nHost: h\r\nContent-Length: ")
                        .append(body.length())
                        .append("\r\n\r\n")
                        .append(body);
            }
            client.send(wire.toString());
            for (int i = 0; i < 50; i++) {
                assertThat(client.response().text()).isEqualTo("request " + i);
            }
        }
        assertThat(overlapped).isFalse();
    }

    @Test
    void carriesLargeBodiesBothWays() throws Exception {
        serve(HttpServerTest::echo);
        byte[] data = random(5_000_000);
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n").send(data);
            assertThat(client.response().body()).isEqualTo(data);
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("4C4B40\r\n").send(data).send("\r\n0\r\n\r\n");
            assertThat(client.response().body()).isEqualTo(data);
        }
    }

    @Test
    void aBodyInOneByteChunksCostsLittleMemory() throws Exception {
        serve(HttpServerTest::echo);
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("1\r\nx\r\n".repeat(100_000)).send("0\r\n\r\n");
            assertThat(client.response().text()).isEqualTo("x".repeat(100_000));
        }
    }

    @Test
    void continueIsSentOnlyWhenTheHandlerReads() throws Exception {
        CountDownLatch authenticated = new CountDownLatch(1);
        serve(
                x -> {
                    assertThat(x.expectsContinue()).isTrue();
                    authenticated.await();
                    echo(x);
                });
        try (RawClient client = client()) {
            client.send(
                    "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            client.socket().setSoTimeout(100);
            assertThatThrownBy(client::response).isInstanceOf(SocketTimeoutException.class);
            client.socket().setSoTimeout(10_000);
            authenticated.countDown();
            assertThat(client.response().status()).isEqualTo(100);
            client.send("ok");
            assertThat(client.response().text()).isEqualTo("ok");
            client.send(
                    "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.response().status()).isEqualTo(100);
        }
    }

    @Test
    void aRefusalReplacesContinueAndClosesTheConnection() throws Exception {
        serve(x -> x.respond(403, NONE, ascii("no")));
        try (RawClient client = client()) {
            client.send(
                    "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n");
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.header("connection")).isEqualTo("close");
            assertThat(client.closed()).isTrue();
        }
    }

    @Test
    void continueIsSentForAnEmptyBodyTooAndItsAbsenceCloses() throws Exception {
        serve(
                x -> {
                    if (x.rawTarget().equals("/read")) {
                        echo(x);
                    } else {
                        x.respond(200, NONE, new byte[0]);
                    }
                });
        String rest = " HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n";
        try (RawClient client = client()) {
            client.send("PUT /read" + rest);
            assertThat(client.response().status()).isEqualTo(100);
            assertThat(client.response().header("connection")).isEmpty();
            client.send("PUT /unread" + rest);
            assertThat(client.response().header("connection")).isEqualTo("close");
            assertThat(client.closed()).isTrue();
        }
    }

    @Test
    void anEarlyAnswerToASmallBodyKeepsTheConnection() throws Exception {
        serve(x -> x.respond(409, NONE, ascii("early")));
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n");
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(409);
            assertThat(response.header("connection")).isEmpty();
            client.send(new byte[200_000]);
            assertThat(client.get("/").response().status()).isEqualTo(409);
        }
    }

    @Test
    void anEarlyAnswerToALargeBodyArrivesThoughTheClientGoesOnSending() throws Exception {
        serve(x -> x.respond(403, NONE, ascii("early")));
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 16000000\r\n\r\n");
            client.send(new byte[16_000_000]);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.header("connection")).isEqualTo("close");
            assertThat(response.text()).isEqualTo("early");
            assertThat(client.closed()).isTrue();
        }
    }

    @Test
    void aSlowReaderHoldsTheClientBack() throws Exception {
        int total = 64 * 1024 * 1024;
        AtomicLong most = new AtomicLong();
        HttpServer running =
                serve(
                        x -> {
                            ByteBuffer dst = ByteBuffer.allocateDirect(256 * 1024);
                            long bytes = 0;
                            for (int n = x.body().read(dst); n >= 0; n = x.body().read(dst)) {
                                bytes += n;
                                dst.clear();
                                LockSupport.parkNanos(2_000_000);
                                most.accumulateAndGet(
                                        requireNonNull(server).stats().bufferedBodyBytes(),
                                        Math::max);
                            }
                            x.respond(200, NONE, ascii(Long.toString(bytes)));
                        });
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: " + total + "\r\n\r\n");
            byte[] piece = random(1024 * 1024);
            for (int i = 0; i < 64; i++) {
                client.send(piece);
            }
            assertThat(client.response().text()).isEqualTo(Integer.toString(total));
        }
        assertThat(most.get()).isBetween(1L, 4L * 1024 * 1024 - 1);
        assertThat(running.stats().receivedBytes()).isGreaterThan(total);
    }

    @Test
    void allConnectionsTogetherBufferABoundedAmountAndStillFinish() throws Exception {
        HttpLimits limits = HttpLimits.defaults().withMaxTotalBodyBufferBytes(2 * 1024 * 1024);
        CountDownLatch go = new CountDownLatch(1);
        HttpServer running =
                serve(
                        config().withLimits(limits),
                        x -> {
                            go.await();
                            x.respond(200, NONE, ascii("" + readAll(x.body()).length));
                        });
        int clients = 8;
        int bytes = 4_000_000;
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        for (int i = 0; i < clients; i++) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try (RawClient client = client()) {
                                    client.send(
                                            "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: "
                                                    + bytes
                                                    + "\r\n\r\n");
                                    client.send(new byte[bytes]);
                                    answers.add(client.response().text());
                                } catch (IOException e) {
                                    answers.add(e.toString());
                                }
                            });
        }
        await(() -> running.stats().bufferedBodyBytes() > limits.maxTotalBodyBufferBytes());
        go.countDown();
        for (int i = 0; i < clients; i++) {
            assertThat(answers.poll(20, TimeUnit.SECONDS)).isEqualTo("" + bytes);
            assertThat(running.stats().bufferedBodyBytes())
                    .isLessThan(limits.maxTotalBodyBufferBytes() + clients * 1024L * 1024);
        }
    }

    @Test
    void aClientThatLeavesMidBodySurfacesInTheRead() throws Exception {
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        serve(
                x -> {
                    try {
                        readAll(x.body());
                    } catch (IOException e) {
                        seen.add(e);
                        throw e;
                    }
                });
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc");
        }
        assertThat(seen.poll(10, TimeUnit.SECONDS)).isInstanceOf(ClientAbortException.class);
        await(() -> requireNonNull(server).stats().clientAborts() == 1);
    }

    @Test
    void aClientThatLeavesMidResponseSurfacesInTheWrite() throws Exception {
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        AtomicInteger released = new AtomicInteger();
        AtomicInteger lent = new AtomicInteger();
        serve(
                x -> {
                    ByteBuffer data = ByteBuffer.allocateDirect(600_000);
                    try (ResponseBody body = x.startResponse(200, NONE, -1)) {
                        while (true) {
                            lent.incrementAndGet();
                            body.write(data.duplicate(), released::incrementAndGet);
                        }
                    } catch (IOException e) {
                        seen.add(e);
                        throw e;
                    }
                });
        try (RawClient client = client()) {
            client.get("/");
            client.exactly(1000);
        }
        assertThat(seen.poll(10, TimeUnit.SECONDS)).isInstanceOf(ClientAbortException.class);
        await(() -> released.get() == lent.get());
    }

    @Test
    void lentBuffersComeBackOnceEach() throws Exception {
        AtomicInteger released = new AtomicInteger();
        byte[] data = random(700_000);
        serve(
                x -> {
                    try (ResponseBody body = x.startResponse(200, NONE, 2_100_003)) {
                        body.write(ByteBuffer.wrap(ascii("abc")));
                        for (int i = 0; i < 3; i++) {
                            ByteBuffer direct =
                                    ByteBuffer.allocateDirect(data.length).put(data).flip();
                            body.write(direct, released::incrementAndGet);
                        }
                    }
                });
        try (RawClient client = client()) {
            byte[] body = client.get("/").response().body();
            assertThat(body).hasSize(2_100_003).startsWith(ascii("abc")).endsWith(data);
            client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.response("HEAD").header("content-length")).isEqualTo("2100003");
            await(() -> released.get() == 6);
            assertThat(client.get("/").response().status()).isEqualTo(200);
        }
    }

    @Test
    void streamsChunkedResponses() throws Exception {
        serve(
                x -> {
                    try (ResponseBody body = x.startResponse(200, NONE, -1)) {
                        for (int i = 0; i < 5; i++) {
                            body.write(ByteBuffer.wrap(ascii("part " + i + ";")));
                            body.flush();
                        }
                    }
                });
        try (RawClient client = client()) {
            RawClient.Response response = client.get("/").response();
            assertThat(response.header("transfer-encoding")).isEqualTo("chunked");
            assertThat(response.text()).isEqualTo("part 0;part 1;part 2;part 3;part 4;");
            assertThat(client.get("/").response().text()).hasSize(35);
            client.send("GET / HTTP/1.0\r\n\r\n");
            RawClient.Response old = client.response();
            assertThat(old.header("transfer-encoding")).isEmpty();
            assertThat(old.text()).hasSize(35);
            assertThat(client.closed()).isTrue();
        }
    }

    @Test
    void headNoContentAndNotModifiedCarryNoBody() throws Exception {
        serve(
                x -> {
                    int status = Integer.parseInt(x.rawTarget().substring(1));
                    x.respond(status, NONE, ascii("body"));
                });
        try (RawClient client = client()) {
            client.send("HEAD /200 HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.response("HEAD").header("content-length")).isEqualTo("4");
            for (String status : new String[] {"204", "304"}) {
                RawClient.Response response = client.get("/" + status).response();
                assertThat(response.header("content-length")).isEmpty();
            }
            assertThat(client.get("/404").response().text()).isEqualTo("body");
        }
    }

    @Test
    void aResponseShorterThanAnnouncedIsCutOff() throws Exception {
        serve(
                x -> {
                    try (ResponseBody body = x.startResponse(200, NONE, 10)) {
                        body.write(ByteBuffer.wrap(ascii("abc")));
                        body.flush();
                    }
                });
        try (RawClient client = client()) {
            assertThatThrownBy(() -> client.get("/").response()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aHandlerFailingMidResponseCutsTheConnection() throws Exception {
        serve(
                x -> {
                    ResponseBody body = x.startResponse(200, NONE, -1);
                    body.write(ByteBuffer.wrap(ascii("abc")));
                    body.flush();
                    throw new IllegalStateException("the disk is gone");
                });
        try (RawClient client = client()) {
            assertThatThrownBy(() -> client.get("/").response()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void failuresGoToTheFailureHandler() throws Exception {
        HttpServerConfig config =
                config().withErrors(
                                (x, failure) ->
                                        x.respond(500, NONE, ascii("" + failure.getMessage())),
                                ProtocolErrorRenderer.plainText());
        HttpServer running =
                serve(
                        config,
                        x -> {
                            if (x.rawTarget().equals("/throw")) {
                                throw new IllegalStateException("broken");
                            }
                        });
        try (RawClient client = client()) {
            assertThat(client.get("/throw").response().text()).isEqualTo("broken");
            assertThat(client.get("/silent").response().text()).contains("without an answer");
        }
        assertThat(running.stats().handlerFailures()).isEqualTo(2);
    }

    @Test
    void whatIsNotHttpIsRefusedAndTheConnectionCloses() throws Exception {
        HttpServerConfig config =
                config().withErrors(
                                (x, failure) -> x.respond(500, NONE, new byte[0]),
                                (error, detail) ->
                                        new ProtocolErrorRenderer.Rendered(
                                                error.status(),
                                                NONE,
                                                ascii(error + ": " + detail)));
        serve(config, x -> x.respond(200, NONE, new byte[0]));
        try (RawClient client = client()) {
            client.get("/").send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nGET / HTTP/1.1\r\n");
            assertThat(client.response().status()).isEqualTo(200);
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.header("connection")).isEqualTo("close");
            assertThat(response.text()).startsWith("MALFORMED: ");
            assertThat(client.closed()).isTrue();
        }
        try (RawClient client = client()) {
            client.send("GET /" + "a".repeat(20_000));
            assertThat(client.response().status()).isEqualTo(414);
            assertThat(client.closed()).isTrue();
        }
    }

    @Test
    void brokenChunkingSurfacesInTheReadAndCanBeAnswered() throws Exception {
        serve(HttpServerTest::echo);
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("5\r\nhelloXX");
            RawClient.Response response = client.response();
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.header("connection")).isEqualTo("close");
            assertThat(client.closed()).isTrue();
        }
    }

    @Test
    void slowHeadersBodiesAndIdleConnectionsTimeOut() throws Exception {
        HttpTimeouts quick = HttpTimeouts.defaults().withAll(Duration.ofMillis(300));
        HttpServer running = serve(config().withTimeouts(quick), HttpServerTest::echo);
        try (RawClient silent = client();
                RawClient head = client();
                RawClient small = client();
                RawClient large = client();
                RawClient idle = client()) {
            head.send("GET / HT");
            small.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
            large.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabc");
            assertThat(idle.get("/").response().status()).isEqualTo(200);
            assertThat(head.response().status()).isEqualTo(408);
            assertThat(small.response().status()).isEqualTo(408);
            RawClient.Response late = large.response();
            assertThat(late.status()).isEqualTo(408);
            assertThat(late.header("connection")).isEqualTo("close");
            for (RawClient client : new RawClient[] {silent, head, small, large, idle}) {
                assertThat(client.closed()).isTrue();
            }
        }
        assertThat(running.stats().timeouts()).isEqualTo(3);
    }

    @Test
    void aClientThatTakesNothingIsCutOff() throws Exception {
        HttpTimeouts quick = HttpTimeouts.defaults().withAll(Duration.ofMillis(300));
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        serve(
                config().withTimeouts(quick),
                x -> {
                    try (ResponseBody body = x.startResponse(200, NONE, -1)) {
                        while (true) {
                            body.write(ByteBuffer.allocate(100_000));
                        }
                    } catch (IOException e) {
                        seen.add(e);
                        throw e;
                    }
                });
        try (RawClient client = client()) {
            client.get("/");
            assertThat(seen.poll(10, TimeUnit.SECONDS)).isInstanceOf(ClientAbortException.class);
        }
    }

    @Test
    void connectionsOverTheLimitAreToldSo() throws Exception {
        serve(
                config().withLimits(HttpLimits.defaults().withMaxConnections(1)),
                x -> x.respond(200, NONE, new byte[0]));
        try (RawClient first = client()) {
            assertThat(first.get("/").response().status()).isEqualTo(200);
            try (RawClient second = client()) {
                assertThat(second.response().status()).isEqualTo(503);
                assertThat(second.closed()).isTrue();
            }
            assertThat(first.get("/").response().status()).isEqualTo(200);
        }
        await(() -> requireNonNull(server).stats().openConnections() == 0);
        try (RawClient third = client()) {
            assertThat(third.get("/").response().status()).isEqualTo(200);
        }
    }

    @Test
    void stoppingLetsRunningRequestsFinish() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        HttpServer running =
                serve(
                        x -> {
                            started.countDown();
                            go.await();
                            x.respond(200, NONE, ascii("done"));
                        });
        try (RawClient idle = client();
                RawClient busy = client()) {
            busy.get("/");
            started.await();
            AtomicBoolean finished = new AtomicBoolean();
            Thread stopper =
                    Thread.ofPlatform()
                            .start(() -> finished.set(running.stop(Duration.ofSeconds(20))));
            assertThat(idle.closed()).isTrue();
            assertThatThrownBy(this::client).isInstanceOf(IOException.class);
            go.countDown();
            RawClient.Response response = busy.response();
            assertThat(response.text()).isEqualTo("done");
            assertThat(response.header("connection")).isEqualTo("close");
            assertThat(busy.closed()).isTrue();
            stopper.join();
            assertThat(finished).isTrue();
        }
    }

    @Test
    void stoppingCutsWhatOutlastsTheGrace() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        HttpServer running =
                serve(
                        x -> {
                            started.countDown();
                            readAll(x.body());
                        });
        try (RawClient client = client()) {
            client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n");
            started.await();
            assertThat(running.stop(Duration.ofMillis(50))).isFalse();
        }
    }

    @Test
    void responseHeadersCantBeInjectedInto() {
        assertThatThrownBy(() -> ResponseHeaders.create().add("X", "a\r\nY: b"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ResponseHeaders.create().add("X: Y", "a"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ResponseHeaders.create().add("Content-Length", "1"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void listensOnIpv6() throws Exception {
        assumeTrue(
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .anyMatch(Inet6Address.class::isInstance),
                "this machine has no IPv6");
        serve(
                HttpServerConfig.of("test6", new InetSocketAddress("::1", 0)),
                x -> x.respond(200, NONE, ascii(x.remoteAddress().getAddress().getHostAddress())));
        try (RawClient client = client()) {
            assertThat(client.get("/").response().text()).contains(":");
        }
    }
}
