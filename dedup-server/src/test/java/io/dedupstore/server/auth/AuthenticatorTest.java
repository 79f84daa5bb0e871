package io.dedupstore.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.ChunkedBodyEncoder;
import io.dedupstore.core.sigv4.PayloadHasher;
import io.dedupstore.core.sigv4.PayloadMode;
import io.dedupstore.core.sigv4.RequestHead;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import io.dedupstore.core.sigv4.SigV4Signer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final String KEY = "DSKEXAMPLE";
    private static final String SECRET = "not a real secret";
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    private final CredentialStore store =
            accessKey ->
                    accessKey.equals(KEY)
                            ? Optional.of(
                                    new Credential(
                                            KEY, SECRET.getBytes(StandardCharsets.UTF_8), "acct-1"))
                            : Optional.empty();
    private final Authenticator authenticator =
            new Authenticator(store, "us-east-1", () -> NOW, PayloadHasher.jdk(), Optional.empty());
    private final SigV4Signer signer = new SigV4Signer(KEY, SECRET, "us-east-1");

    private static RequestHead put(String... headers) {
        List<Map.Entry<String, String>> list = new ArrayList<>();
        list.add(Map.entry("host", "localhost:9000"));
        for (int i = 0; i < headers.length; i += 2) {
            list.add(Map.entry(headers[i], headers[i + 1]));
        }
        return new RequestHead("PUT", "/b/k", list);
    }

    private static ByteSource source(byte[] bytes) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        return dst -> {
            if (!left.hasRemaining()) {
                return -1;
            }
            dst.put(left.get());
            return 1;
        };
    }

    private static byte[] readAll(BodySource body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer dst = ByteBuffer.allocate(3);
        while (body.read(dst) >= 0) {
            out.write(dst.array(), 0, dst.position());
            dst.clear();
        }
        return out.toByteArray();
    }

    private static PayloadMode hash(byte[] content) throws Exception {
        return new PayloadMode.SignedHash(
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
    }

    private static void refused(ThrowingCallable call, Reason reason) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SigV4Exception.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void aSignedRequestSpeaksForItsAccount() throws Exception {
        RequestHead head = signer.sign(put("content-length", "5"), hash(HELLO), NOW).head();
        AuthenticatedRequest request = authenticator.authenticate(head);
        assertThat(request.principal()).isEqualTo(new Principal.Account("acct-1", KEY));
        assertThat(request.presigned()).isFalse();
        assertThat(request.payloadLength()).hasValue(5);
        assertThat(readAll(request.openBody(source(HELLO)))).isEqualTo(HELLO);
    }

    @Test
    void aBodyOtherThanSignedFailsAtItsEnd() throws Exception {
        RequestHead head = signer.sign(put(), hash(HELLO), NOW).head();
        BodySource body =
                authenticator
                        .authenticate(head)
                        .openBody(source("hellO".getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer dst = ByteBuffer.allocate(5);
        assertThat(body.read(dst)).isEqualTo(5);
        assertThatThrownBy(body::trailers).isInstanceOf(IllegalStateException.class);
        refused(() -> body.read(dst.clear()), Reason.PAYLOAD_HASH_MISMATCH);
        refused(() -> body.read(dst.clear()), Reason.PAYLOAD_HASH_MISMATCH);
    }

    @Test
    void framedPayloadsComeWithoutTheirFraming() throws Exception {
        for (PayloadMode mode :
                List.of(
                        new PayloadMode.StreamingSigned(),
                        new PayloadMode.StreamingSignedTrailer(),
                        new PayloadMode.StreamingUnsignedTrailer())) {
            boolean trailing = !(mode instanceof PayloadMode.StreamingSigned);
            RequestHead plain =
                    trailing
                            ? put(
                                    "x-amz-decoded-content-length",
                                    "5",
                                    "x-amz-trailer",
                                    "x-amz-checksum-crc32")
                            : put("x-amz-decoded-content-length", "5", "content-length", "180");
            SigV4Signer.Signed signed = signer.sign(plain, mode, NOW);
            ChunkedBodyEncoder encoder =
                    new ChunkedBodyEncoder(
                            mode,
                            mode instanceof PayloadMode.StreamingUnsignedTrailer
                                    ? null
                                    : signed.context());
            Map<String, String> trailers =
                    trailing ? Map.of("x-amz-checksum-crc32", "NhCmhg==") : Map.of();
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            wire.writeBytes(encoder.chunk(HELLO));
            wire.writeBytes(encoder.end(trailers));
            AuthenticatedRequest request = authenticator.authenticate(signed.head());
            BodySource body = request.openBody(source(wire.toByteArray()));
            assertThat(request.payloadMode()).isEqualTo(mode);
            assertThat(body.declaredLength()).hasValue(5);
            assertThat(readAll(body)).isEqualTo(HELLO);
            assertThat(body.trailers()).isEqualTo(trailers);
        }
    }

    @Test
    void anUnsignedTrailerPayloadStillNeedsAGenuineHead() {
        RequestHead signed =
                signer.sign(put(), new PayloadMode.StreamingUnsignedTrailer(), NOW).head();
        List<Map.Entry<String, String>> forged = new ArrayList<>(signed.headers());
        forged.replaceAll(
                header ->
                        header.getKey().equals("authorization")
                                ? Map.entry(
                                        "authorization",
                                        header.getValue()
                                                .replaceFirst("[0-9a-f]{64}$", "0".repeat(64)))
                                : header);
        refused(
                () -> authenticator.authenticate(new RequestHead("PUT", "/b/k", forged)),
                Reason.SIGNATURE_MISMATCH);
    }

    @Test
    void framingUnderAnUnsignedPayloadIsTakenOffAsWell() throws Exception {
        RequestHead head =
                signer.sign(
                                put(
                                        "content-encoding",
                                        "aws-chunked",
                                        "x-amz-decoded-content-length",
                                        "5"),
                                new PayloadMode.Unsigned(),
                                NOW)
                        .head();
        byte[] wire = "5\r\nhello\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(readAll(authenticator.authenticate(head).openBody(source(wire))))
                .isEqualTo(HELLO);
    }

    @Test
    void aPresignedUrlSpeaksForItsAccount() {
        RequestHead plain = put();
        String target = signer.presign(plain, Duration.ofMinutes(5), NOW);
        AuthenticatedRequest request =
                authenticator.authenticate(new RequestHead("PUT", target, plain.headers()));
        assertThat(request.presigned()).isTrue();
        assertThat(request.principal()).isEqualTo(new Principal.Account("acct-1", KEY));
    }

    @Test
    void noAuthenticationMeansAnonymous() throws Exception {
        AuthenticatedRequest request = authenticator.authenticate(put());
        assertThat(request.principal()).isEqualTo(Principal.ANONYMOUS);
        assertThat(readAll(request.openBody(source(HELLO)))).isEqualTo(HELLO);
    }

    @Test
    void unknownKeysAndWrongSecretsAreRefused() {
        SigV4Signer unknown = new SigV4Signer("NOBODY", SECRET, "us-east-1");
        SigV4Signer wrong = new SigV4Signer(KEY, "guess", "us-east-1");
        PayloadMode mode = new PayloadMode.Unsigned();
        refused(
                () -> authenticator.authenticate(unknown.sign(put(), mode, NOW).head()),
                Reason.UNKNOWN_ACCESS_KEY);
        refused(
                () -> authenticator.authenticate(wrong.sign(put(), mode, NOW).head()),
                Reason.SIGNATURE_MISMATCH);
    }

    @Test
    void aNonsenseDecodedLengthIsRefused() {
        for (String length : new String[] {"-1", "five", "9999999999999999999", ""}) {
            RequestHead head =
                    signer.sign(
                                    put("x-amz-decoded-content-length", length),
                                    new PayloadMode.StreamingUnsignedTrailer(),
                                    NOW)
                            .head();
            refused(() -> authenticator.authenticate(head), Reason.INVALID_DECODED_LENGTH);
        }
    }

    @Test
    void credentialsDoNotPrintTheirSecret() {
        assertThat(store.find(KEY).orElseThrow().toString()).doesNotContain(SECRET);
    }
}
