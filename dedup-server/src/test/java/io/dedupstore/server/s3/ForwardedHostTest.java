package io.dedupstore.server.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.server.http.RequestHeaders;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForwardedHostTest {
    private static final InetAddress PROXY = address("10.0.0.1");
    private static final InetAddress STRANGER = address("192.0.2.7");

    private final ForwardedHost forwarded = new ForwardedHost(PROXY::equals);

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static RequestHeaders headers(String forwardedHost) {
        return RequestHeaders.of(
                List.of(
                        Map.entry("host", "inside:9000"),
                        Map.entry("x-forwarded-host", forwardedHost),
                        Map.entry("accept", "*/*")));
    }

    @Test
    void aTrustedProxysWordStandsForTheHost() {
        RequestHeaders seen = forwarded.of(headers("s3.example.com"), PROXY);
        assertThat(seen.all("host")).containsExactly("s3.example.com");
        assertThat(seen.first("accept")).contains("*/*");
    }

    @Test
    void ofSeveralProxiesTheFirstNameIsTheClients() {
        assertThat(forwarded.of(headers(" bucket.example.com , edge, lb"), PROXY).all("host"))
                .containsExactly("bucket.example.com");
    }

    @Test
    void fromAnybodyElseTheHeaderMeansNothing() {
        assertThat(forwarded.of(headers("s3.example.com"), STRANGER).all("host"))
                .containsExactly("inside:9000");
    }

    @Test
    void withoutTheHeaderNothingChanges() {
        RequestHeaders plain = RequestHeaders.of(List.of(Map.entry("host", "inside")));
        assertThat(forwarded.of(plain, PROXY)).isSameAs(plain);
    }
}
