package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CorsTest {
    private final TestGateway gateway = new TestGateway();

    @BeforeEach
    void makeBucket() {
        gateway.send("PUT", "/docs");
        gateway.put("/docs/k", "x");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private Answer set(String rules) {
        String document = "<CORSConfiguration>" + rules + "</CORSConfiguration>";
        return gateway.send(
                new Call("PUT", "/docs?cors")
                        .header("content-md5", Md5.base64(document))
                        .body(document));
    }

    private static String rule(String origin, String... rest) {
        return "<CORSRule><AllowedOrigin>"
                + origin
                + "</AllowedOrigin>"
                + String.join("", rest)
                + "</CORSRule>";
    }

    private static String method(String name) {
        return "<AllowedMethod>" + name + "</AllowedMethod>";
    }

    private Answer preflight(String origin, String method) {
        return gateway.sendAs(
                "anonymous",
                new Call("OPTIONS", "/docs/k")
                        .header("origin", origin)
                        .header("access-control-request-method", method));
    }

    private Answer from(String origin, Call call) {
        return gateway.send(call.header("origin", origin));
    }

    @Test
    void rulesAreReadAsTheyWereSet() {
        String rules =
                "<CORSRule><ID>one</ID><AllowedHeader>x-*</AllowedHeader>"
                        + method("GET")
                        + method("PUT")
                        + "<AllowedOrigin>https://*.example.com</AllowedOrigin>"
                        + "<ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>60</MaxAgeSeconds>"
                        + "</CORSRule>";
        assertThat(gateway.send("GET", "/docs?cors").code()).isEqualTo("NoSuchCORSConfiguration");
        assertThat(set(rules).status()).isEqualTo(200);
        assertThat(gateway.send("GET", "/docs?cors").text()).contains(rules);
        assertThat(gateway.send("DELETE", "/docs?cors").status()).isEqualTo(204);
        assertThat(gateway.send("GET", "/docs?cors").code()).isEqualTo("NoSuchCORSConfiguration");
    }

    @Test
    void theFirstRuleThatFitsAnswersAPreflight() {
        set(
                rule(
                                "https://a.example",
                                method("PUT"),
                                "<AllowedHeader>X-Amz-*</AllowedHeader>",
                                "<ExposeHeader>ETag</ExposeHeader>",
                                "<ExposeHeader>x-amz-id-2</ExposeHeader>",
                                "<MaxAgeSeconds>3000</MaxAgeSeconds>")
                        + rule("*", method("GET")));

        Call asking =
                new Call("OPTIONS", "/docs/k")
                        .header("origin", "https://a.example")
                        .header("access-control-request-method", "PUT")
                        .header("access-control-request-headers", "x-amz-date, X-AMZ-Foo");
        Answer answer = gateway.sendAs("anonymous", asking);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("https://a.example");
        assertThat(answer.header("Access-Control-Allow-Methods")).isEqualTo("PUT");
        assertThat(answer.header("Access-Control-Allow-Headers"))
                .isEqualTo("x-amz-date, X-AMZ-Foo");
        assertThat(answer.header("Access-Control-Expose-Headers")).isEqualTo("ETag, x-amz-id-2");
        assertThat(answer.header("Access-Control-Max-Age")).isEqualTo("3000");
        assertThat(answer.header("Access-Control-Allow-Credentials")).isEqualTo("true");
        assertThat(answer.header("Vary")).startsWith("Origin, ");

        Answer any = preflight("https://a.example", "GET");
        assertThat(any.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(any.headers().contains("Access-Control-Allow-Credentials")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "https://b.example, PUT, AccessForbidden",
        "https://a.example, DELETE, AccessForbidden",
        "https://a.example, '', AccessForbidden",
        "http://a.example, PUT, AccessForbidden",
        "https://a.example.org, PUT, AccessForbidden"
    })
    void aPreflightThatNoRuleFitsIsRefused(String origin, String method, String code) {
        set(rule("https://a.example", method("PUT")));
        Answer answer = preflight(origin, method);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.headers().contains("Access-Control-Allow-Origin")).isFalse();
    }

    @Test
    void aPreflightNeedsItsHeadersAndABucketWithRules() {
        assertThat(preflight("https://a.example", "GET").text()).contains("CORS is not enabled");
        assertThat(
                        gateway.sendAs(
                                        "anonymous",
                                        new Call("OPTIONS", "/nothing-here")
                                                .header("origin", "https://a.example")
                                                .header("access-control-request-method", "GET"))
                                .code())
                .isEqualTo("AccessForbidden");
        set(rule("*", method("GET")));
        assertThat(gateway.send("OPTIONS", "/docs/k").code()).isEqualTo("BadRequest");
        Call noMethod = new Call("OPTIONS", "/docs/k").header("origin", "https://a.example");
        assertThat(gateway.send(noMethod).code()).isEqualTo("BadRequest");
        Call header =
                new Call("OPTIONS", "/docs/k")
                        .header("origin", "https://a.example")
                        .header("access-control-request-method", "GET")
                        .header("access-control-request-headers", "x-secret");
        assertThat(gateway.send(header).code()).isEqualTo("AccessForbidden");
    }

    @Test
    void responsesSayWhatThePageMaySeeErrorsIncluded() {
        set(rule("https://*.example", method("GET"), method("HEAD")));
        String allowed = "Access-Control-Allow-Origin";

        Answer found = from("https://www.example", new Call("GET", "/docs/k"));
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.header(allowed)).isEqualTo("https://www.example");
        assertThat(found.header("Access-Control-Allow-Methods")).isEqualTo("GET, HEAD");
        Answer head = from("https://www.example", new Call("HEAD", "/docs/k"));
        assertThat(head.header(allowed)).isEqualTo("https://www.example");
        Answer missing = from("https://www.example", new Call("GET", "/docs/none"));
        assertThat(missing.code()).isEqualTo("NoSuchKey");
        assertThat(missing.header(allowed)).isEqualTo("https://www.example");

        Answer other = from("https://www.other", new Call("GET", "/docs/k"));
        assertThat(other.status()).isEqualTo(200);
        assertThat(other.headers().contains(allowed)).isFalse();
        Answer put = from("https://www.example", new Call("PUT", "/docs/k").body("y"));
        assertThat(put.status()).isEqualTo(200);
        assertThat(put.headers().contains(allowed)).isFalse();
        assertThat(gateway.send("GET", "/docs/k").headers().contains(allowed)).isFalse();
    }

    @Test
    void theBucketInTheHostCountsToo() {
        set(rule("*", method("GET")));
        Call call =
                new Call("OPTIONS", "/k", "docs.s3.example.com")
                        .header("origin", "https://a.example")
                        .header("access-control-request-method", "GET");
        assertThat(gateway.send(call).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | MalformedXML",
                "<CORSRule/> | MalformedXML",
                "<CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule> | MalformedXML",
                "<CORSRule><AllowedMethod>GET</AllowedMethod></CORSRule> | MalformedXML",
                "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PATCH</AllowedMethod></CORSRule> | InvalidRequest",
                "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>get</AllowedMethod></CORSRule> | InvalidRequest",
                "<CORSRule><AllowedOrigin>*.*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule> | InvalidRequest",
                "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedHeader>**</AllowedHeader></CORSRule> | InvalidRequest",
                "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><ExposeHeader>x-*</ExposeHeader></CORSRule> | InvalidRequest",
                "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><MaxAgeSeconds>-1</MaxAgeSeconds></CORSRule> | MalformedXML"
            })
    void rulesThatMakeNoSenseAreRefused(String rules, String code) {
        assertThat(set(rules).code()).isEqualTo(code);
        assertThat(gateway.send("GET", "/docs?cors").code()).isEqualTo("NoSuchCORSConfiguration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a&#13;&#10;x-evil: 1", "€", "a b", ""})
    void aHeaderThatNoResponseCouldCarryIsRefused(String name) {
        for (String element : new String[] {"ExposeHeader", "AllowedHeader"}) {
            String header = "<" + element + ">" + name + "</" + element + ">";
            assertThat(set(rule("*", method("GET"), header)).code()).isEqualTo("MalformedXML");
        }
        assertThat(from("https://a.example", new Call("GET", "/docs/k")).status()).isEqualTo(200);
    }

    @Test
    void thereAreAHundredRulesAtMost() {
        assertThat(set(rule("*", method("GET")).repeat(100)).status()).isEqualTo(200);
        assertThat(set(rule("*", method("GET")).repeat(101)).code()).isEqualTo("MalformedXML");
    }
}
