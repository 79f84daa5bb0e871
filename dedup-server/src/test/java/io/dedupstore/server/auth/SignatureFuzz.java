package io.dedupstore.server.auth;

import io.dedupstore.core.sigv4.PayloadHasher;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV2Verifier;
import io.dedupstore.core.sigv4.SigV4Exception;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A head, a line for each header, and behind an empty line a body: who sent it is found out or it
 * is refused, and a body, framed or not, is read to its end or refused.
 */
public final class SignatureFuzz {
    private static final byte[] SECRET = "secret".getBytes(StandardCharsets.UTF_8);
    private static final Authenticator AUTHENTICATOR =
            new Authenticator(
                    key -> Optional.of(new Credential("AKID", SECRET, "account")),
                    "us-east-1",
                    () -> Instant.parse("2026-01-02T03:04:05Z"),
                    PayloadHasher.jdk(),
                    Optional.of(new SigV2Verifier(head -> Optional.empty())));

    private SignatureFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\n\n");
        String[] lines = (end < 0 ? text : text.substring(0, end)).split("\n");
        if (lines.length < 2 || lines[0].isEmpty() || lines[1].isEmpty()) {
            return;
        }
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (int i = 2; i < lines.length; i++) {
            String[] pair = lines[i].split(":", 2);
            headers.add(Map.entry(pair[0], pair.length == 2 ? pair[1] : ""));
        }
        try {
            AuthenticatedRequest request =
                    AUTHENTICATOR.authenticate(new RequestHead(lines[0], lines[1], headers));
            read(request, end < 0 ? new byte[0] : bytes(text.substring(end + 2)));
        } catch (SigV4Exception e) {
            // refused
        } catch (IOException e) {
            throw new IllegalStateException("nothing was read from a connection", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void read(AuthenticatedRequest request, byte[] body) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(body);
        BodySource source =
                request.openBody(
                        target -> {
                            if (!rest.hasRemaining()) {
                                return -1;
                            }
                            int count =
                                    Math.min(Math.min(target.remaining(), rest.remaining()), 61);
                            target.put(rest.slice(rest.position(), count));
                            rest.position(rest.position() + count);
                            return count;
                        });
        ByteBuffer sink = ByteBuffer.allocate(4096);
        while (source.read(sink.clear()) >= 0) {
            continue;
        }
        source.trailers();
    }
}
