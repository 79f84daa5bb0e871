package io.dedupstore.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.server.metrics.MetricRegistry;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminApiTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String BEARER = "Bearer " + TOKEN;

    private final FakeAdminService service = new FakeAdminService();
    private final MetricRegistry metrics = new MetricRegistry();
    private final AdminApi api = new AdminApi(new AdminToken(TOKEN), service, metrics);

    @ParameterizedTest
    @CsvSource({
        "GET, /metrics",
        "GET, /v1/stats",
        "GET, /v1/status",
        "GET, /v1/hash",
        "GET, /v1/buckets",
        "POST, /v1/buckets",
        "GET, /v1/sessions",
        "POST, /v1/compact",
        "GET, /v1/index/histogram",
        "GET, /nowhere",
        "GET, /health/live/x",
        "OPTIONS, *"
    })
    void nothingButHealthIsAnsweredWithoutTheToken(String method, String path) throws IOException {
        assertThat(send(method, path, Map.of(), "{}").status).isEqualTo(401);
        for (String wrong : new String[] {"Bearer ", BEARER + "x", "Basic " + TOKEN, TOKEN}) {
            FakeExchange refused = send(method, path, Map.of("Authorization", wrong), "{}");
            assertThat(refused.status).as(wrong).isEqualTo(401);
            assertThat(refused.responseHeaders.first("www-authenticate")).isPresent();
            assertThat(refused.responseBody).contains("unauthorized");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/metrics",
                "/v1/stats",
                "/v1/hash",
                "/v1/buckets",
                "/v1/sessions",
                "/v1/index/histogram"
            })
    void readsAreAnsweredWithTheToken(String path) throws IOException {
        assertThat(get(path).status).isEqualTo(200);
        assertThat(send("HEAD", path, Map.of("authorization", "bearer " + TOKEN), "").status)
                .isEqualTo(200);
    }

    @Test
    void healthNeedsNoToken() throws IOException {
        assertThat(send("GET", "/health/live", Map.of(), "").status).isEqualTo(200);
        assertThat(send("GET", "/health/ready?x=1", Map.of(), "").status).isEqualTo(200);
        service.readiness = Readiness.waitingFor("index-0 has no leader");
        FakeExchange waiting = send("GET", "/health/ready", Map.of(), "");
        assertThat(waiting.status).isEqualTo(503);
        assertThat(waiting.responseBody).contains("index-0 has no leader");
    }

    @Test
    void statsShowTheRatioWithTwoDecimals() throws IOException {
        assertThat(get("/v1/stats").responseBody)
                .contains("\"dedupRatio\" : 819200.00")
                .contains("\"logicalBytes\" : 107374182400");
    }

    @Test
    void aBucketIsMadeWithDefaultsOrAsAsked() throws IOException {
        assertThat(post("{\"name\":\"a\"}").responseBody).contains("cdc:64k");
        assertThat(post("{\"name\":\"b\",\"chunking\":\"fixed:128k\"}").status).isEqualTo(200);
        assertThat(service.created).hasSize(2);
        FakeExchange again = post("{\"name\":\"a\"}");
        assertThat(again.status).isEqualTo(409);
        assertThat(again.responseHeaders.first("content-type"))
                .hasValue("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{}",
                "{\"name\":\"a\",\"chunkng\":\"cdc\"}",
                "{\"name\":\"a\"} x"
            })
    void aBodyThatIsNotUnderstoodIsRefused(String body) throws IOException {
        FakeExchange refused = post(body);
        assertThat(refused.status).isEqualTo(400);
        assertThat(refused.responseBody).contains("invalid-request");
        assertThat(service.created).isEmpty();
    }

    @Test
    void aBodyThatIsTooLongIsRefused() throws IOException {
        assertThat(post("{\"name\":\"" + "a".repeat(1 << 16) + "\"}").status).isEqualTo(413);
    }

    @Test
    void whatFailsInsideIsNotToldOutside() throws IOException {
        FakeExchange failed = get("/v1/status");
        assertThat(failed.status).isEqualTo(500);
        assertThat(failed.responseBody).doesNotContain("secret").contains("internal");
    }

    @Test
    void unknownPathsAndMethodsAreNamed() throws IOException {
        assertThat(get("/v2/stats").status).isEqualTo(404);
        FakeExchange method = send("DELETE", "/v1/buckets", Map.of("authorization", BEARER), "");
        assertThat(method.status).isEqualTo(405);
        assertThat(method.responseBody).contains("GET, POST");
    }

    private FakeExchange get(String path) throws IOException {
        return send("GET", path, Map.of("authorization", BEARER), "");
    }

    private FakeExchange post(String body) throws IOException {
        return send("POST", "/v1/buckets", Map.of("authorization", BEARER), body);
    }

    private FakeExchange send(String method, String path, Map<String, String> headers, String body)
            throws IOException {
        FakeExchange exchange = new FakeExchange(method, path, headers, body);
        api.handle(exchange);
        return exchange;
    }
}
