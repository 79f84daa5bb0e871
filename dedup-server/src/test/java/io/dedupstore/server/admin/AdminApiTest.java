package io.dedupstore.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.client.admin.QuotaSetting;
import io.dedupstore.server.metrics.MetricRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminApiTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String BEARER = "Bearer " + TOKEN;

    private final FakeAdminService service = new FakeAdminService();
    private final MetricRegistry metrics = new MetricRegistry();
    private final FakeIndexService index = new FakeIndexService();
    private final AdminApi api =
            new AdminApi(
                    new AdminToken(TOKEN),
                    service,
                    index,
                    index,
                    new FakeKeyService(),
                    new FakeAccountService(),
                    metrics);

    @ParameterizedTest
    @CsvSource({
        "GET, /metrics",
        "GET, /v1/stats",
        "GET, /v1/status",
        "GET, /v1/accounts",
        "GET, /v1/accounts/123456789012",
        "GET, /v1/accounts/123456789012/users",
        "DELETE, /v1/access-keys/KEY",
        "GET, /v1/hash",
        "GET, /v1/buckets",
        "POST, /v1/buckets",
        "GET, /v1/sessions",
        "POST, /v1/compact",
        "GET, /v1/scrub",
        "POST, /v1/scrub",
        "GET, /v1/index/histogram",
        "GET, /v1/index",
        "PUT, /v1/index/quota",
        "POST, /v1/index/prune?percent=10",
        "POST, /v1/index/preload",
        "POST, /v1/index/drain",
        "POST, /v1/index/shrink",
        "POST, /v1/index/verify",
        "GET, /v1/jobs",
        "GET, /v1/jobs/7",
        "POST, /v1/jobs/7/cancel",
        "GET, /v1/keys",
        "PUT, /v1/keys",
        "POST, /v1/keys",
        "POST, /v1/keys/rotate",
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
                "/v1/index",
                "/v1/index/histogram",
                "/v1/index/quota",
                "/v1/jobs",
                "/v1/jobs/7",
                "/v1/keys"
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
    void keysAreMadeRotatedAndSwitchedOff() throws IOException {
        Map<String, String> token = Map.of("Authorization", BEARER);
        assertThat(send("POST", "/v1/keys", token, "{\"id\":\"a/b\"}").responseBody)
                .contains("\"id\" : \"a/b\"");
        FakeExchange rotated = send("POST", "/v1/keys/rotate", token, "{\"id\":\"photos\"}");
        assertThat(rotated.responseBody).contains("\"version\" : 2");
        assertThat(send("POST", "/v1/keys/rotate", token, "{\"id\":\"nobody\"}").status)
                .isEqualTo(404);
        String off = "{\"id\":\"photos\",\"enabled\":false}";
        assertThat(send("PUT", "/v1/keys", token, off).responseBody)
                .contains("\"enabled\" : false");
        for (String bad : new String[] {"{}", "{\"id\":\"photos\"}", "{\"name\":\"x\"}"}) {
            assertThat(send("PUT", "/v1/keys", token, bad).status).isEqualTo(400);
        }
        assertThat(send("POST", "/v1/keys", token, "{}").status).isEqualTo(400);
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

    @Test
    void aLongOperationIsBegunAndNamed() throws IOException {
        FakeExchange begun = post("/v1/index/prune?olderThan=30d&dryRun=true", "");
        assertThat(begun.status).isEqualTo(202);
        assertThat(begun.responseHeaders.first("location")).hasValue("/v1/jobs/7");
        assertThat(begun.responseBody).contains("\"state\" : \"running\"");
        assertThat(index.asked)
                .containsExactly(
                        new PruneRequest(
                                Optional.of(Duration.ofDays(30)),
                                Optional.empty(),
                                Optional.empty(),
                                true));
        assertThat(post("/v1/index/shrink", "").status).isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/index/prune",
                "/v1/index/prune?percent=10&entries=3",
                "/v1/index/prune?percent=101",
                "/v1/index/prune?percent=ten",
                "/v1/index/prune?percent=1e1",
                "/v1/index/prune?entries=-1",
                "/v1/index/prune?olderThan=30",
                "/v1/index/prune?olderThan=30y",
                "/v1/index/prune?percent=10&dryRun=yes",
                "/v1/index/prune?percent=10&percent=10",
                "/v1/index/prune?percent=10&dryrun=true",
                "/v1/index/prune?percent=%zz",
                "/v1/index/preload?what=some",
                "/v1/index/shrink?x=1",
                "/v1/index/verify?differences=10001",
                "/v1/index/shrink?"
            })
    void aQueryThatIsNotUnderstoodIsRefused(String target) throws IOException {
        FakeExchange refused = post(target, "");
        assertThat(refused.status).isEqualTo(target.endsWith("?") ? 202 : 400);
        assertThat(index.asked).hasSize(target.endsWith("?") ? 1 : 0);
    }

    @Test
    void unknownParametersAreRefusedEverywhere() throws IOException {
        assertThat(get("/v1/stats?verbose=true").status).isEqualTo(400);
        assertThat(get("/v1/stats?verbose=true").responseBody).contains("verbose");
    }

    @Test
    void jobsAreFoundByTheirNumber() throws IOException {
        assertThat(get("/v1/jobs/7").responseBody).contains("counting ages");
        assertThat(get("/v1/jobs/8").status).isEqualTo(404);
        assertThat(get("/v1/jobs/x").status).isEqualTo(404);
        assertThat(get("/v1/jobs/").status).isEqualTo(404);
        assertThat(get("/v1/jobs/7/cancel").status).isEqualTo(405);
        assertThat(post("/v1/jobs/7/cancel", "").status).isEqualTo(200);
        assertThat(index.asked).containsExactly("cancel 7");
    }

    @Test
    void theNumberOfHashingThreadsIsPut() throws IOException {
        Map<String, String> token = Map.of("authorization", BEARER);
        assertThat(send("PUT", "/v1/hash", token, "{\"primaries\":3}").status).isEqualTo(200);
        assertThat(service.primaries).isEqualTo(3);
        assertThat(send("PUT", "/v1/hash", token, "{\"driver\":\"jdk\"}").status).isEqualTo(400);
        assertThat(post("/v1/hash", "").status).isEqualTo(405);
    }

    @Test
    void theQuotaIsPut() throws IOException {
        String path = "/v1/index/quota";
        Map<String, String> token = Map.of("authorization", BEARER);
        assertThat(send("PUT", path, token, "{\"quota\":\"4GiB\"}").status).isEqualTo(200);
        assertThat(index.asked).containsExactly(new QuotaSetting("4GiB"));
        assertThat(send("PUT", path, token, "{}").status).isEqualTo(400);
        assertThat(send("PUT", path, token, "{\"quota\":7,\"x\":1}").status).isEqualTo(400);
        assertThat(post(path, "").status).isEqualTo(405);
    }

    private FakeExchange post(String target, String body) throws IOException {
        return send("POST", target, Map.of("authorization", BEARER), body);
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
