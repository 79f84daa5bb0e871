package io.dedupstore.core.sigv4;

import static io.dedupstore.core.sigv4.AwsExamples.authorization;
import static io.dedupstore.core.sigv4.AwsExamples.head;
import static io.dedupstore.core.sigv4.SigV4VerifierTest.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkedBodyDecoderTest {
    private static final PayloadMode SIGNED = new PayloadMode.StreamingSigned();
    private static final PayloadMode SIGNED_TRAILER = new PayloadMode.StreamingSignedTrailer();
    private static final PayloadMode UNSIGNED = new PayloadMode.StreamingUnsignedTrailer();
    private static final String CRC = "x-amz-checksum-crc32c";

    private static final String CHUNK_1 =
            "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648";
    private static final String CHUNK_2 =
            "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497";
    private static final String LAST =
            "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9";

    private static SigningContext documentedHead() {
        RequestHead put =
                head(
                        "PUT",
                        "/examplebucket/chunkObject.txt",
                        "Host",
                        "s3.amazonaws.com",
                        "x-amz-date",
                        "20130524T000000Z",
                        "x-amz-storage-class",
                        "REDUCED_REDUNDANCY",
                        "Authorization",
                        authorization(
                                "content-encoding;content-length;host;x-amz-content-sha256;"
                                        + "x-amz-date;x-amz-decoded-content-length;"
                                        + "x-amz-storage-class",
                                "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"),
                        "x-amz-content-sha256",
                        PayloadMode.STREAMING_SIGNED,
                        "Content-Encoding",
                        "aws-chunked",
                        "x-amz-decoded-content-length",
                        "66560",
                        "Content-Length",
                        "66824");
        return AwsExamples.verify(put, AwsExamples.TIME);
    }

    private static SigningContext documentedTrailerHead() {
        RequestHead put =
                head(
                        "PUT",
                        "/examplebucket/chunkObject.txt",
                        "Host",
                        "s3.amazonaws.com",
                        "x-amz-date",
                        "20130524T000000Z",
                        "x-amz-storage-class",
                        "REDUCED_REDUNDANCY",
                        "Authorization",
                        authorization(
                                "content-encoding;host;x-amz-content-sha256;x-amz-date;"
                                        + "x-amz-decoded-content-length;x-amz-storage-class;"
                                        + "x-amz-trailer",
                                "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e"),
                        "x-amz-content-sha256",
                        PayloadMode.STREAMING_SIGNED_TRAILER,
                        "Content-Encoding",
                        "aws-chunked",
                        "x-amz-decoded-content-length",
                        "66560",
                        "x-amz-trailer",
                        CRC);
        return AwsExamples.verify(put, AwsExamples.TIME);
    }

    private static byte[] letters(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 'a');
        return bytes;
    }

    private static byte[] wire(Object... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object part : parts) {
            out.writeBytes(
                    part instanceof byte[] bytes
                            ? bytes
                            : part.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
        return out.toByteArray();
    }

    private static byte[] documentedBody() {
        return wire(
                "10000;chunk-signature=" + CHUNK_1 + "\r\n",
                letters(65536),
                "\r\n400;chunk-signature=" + CHUNK_2 + "\r\n",
                letters(1024),
                "\r\n0;chunk-signature=" + LAST + "\r\n\r\n");
    }

    private static byte[] documentedTrailerBody(String trailer) {
        return wire(
                "10000;chunk-signature="
                        + "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2\r\n",
                letters(65536),
                "\r\n400;chunk-signature="
                        + "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7\r\n",
                letters(1024),
                "\r\n0;chunk-signature="
                        + "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n",
                trailer);
    }

    private static final String TRAILER_SIGNATURE =
            "x-amz-trailer-signature:"
                    + "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435";

    /** A source that hands out at most {@code step} bytes a call. */
    private static ByteSource source(byte[] bytes, int step) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        return dst -> {
            if (!left.hasRemaining()) {
                return -1;
            }
            int count = Math.min(step, Math.min(left.remaining(), dst.remaining()));
            dst.put(left.slice(left.position(), count));
            left.position(left.position() + count);
            return count;
        };
    }

    private record Decoded(byte[] payload, Map<String, String> trailers) {}

    private static Decoded decode(
            byte[] wire,
            PayloadMode mode,
            @Nullable SigningContext signing,
            OptionalLong length,
            Set<String> trailers,
            int step,
            int window)
            throws IOException {
        ChunkedBodyDecoder decoder =
                new ChunkedBodyDecoder(
                        source(wire, step), mode, signing, length, trailers, PayloadHasher.jdk());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer dst = ByteBuffer.allocateDirect(window);
        while (decoder.read(dst) >= 0) {
            byte[] bytes = new byte[dst.flip().remaining()];
            dst.get(bytes);
            out.writeBytes(bytes);
            dst.clear();
        }
        assertThat(decoder.read(dst)).isEqualTo(-1);
        return new Decoded(out.toByteArray(), decoder.trailers());
    }

    private static Decoded unsigned(String wire, long length, String... trailers)
            throws IOException {
        return decode(
                wire.getBytes(StandardCharsets.ISO_8859_1),
                UNSIGNED,
                null,
                length < 0 ? OptionalLong.empty() : OptionalLong.of(length),
                Set.of(trailers),
                7,
                64);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 8192, 65536, 1 << 20})
    void decodesTheDocumentedExampleHoweverItIsSplit(int step) throws IOException {
        for (int window : new int[] {100, 4096, 65536, 1 << 20}) {
            Decoded decoded =
                    decode(
                            documentedBody(),
                            SIGNED,
                            documentedHead(),
                            OptionalLong.of(66560),
                            Set.of(),
                            step,
                            window);
            assertThat(decoded.payload()).isEqualTo(letters(66560));
            assertThat(decoded.trailers()).isEmpty();
        }
    }

    @Test
    void encodesTheDocumentedExample() {
        ChunkedBodyEncoder encoder = new ChunkedBodyEncoder(SIGNED, documentedHead());
        byte[] body =
                wire(
                        encoder.chunk(letters(65536)),
                        encoder.chunk(letters(1024)),
                        encoder.end(Map.of()));
        assertThat(body).isEqualTo(documentedBody()).hasSize(66824);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CRC + ":sOO8/Q==\r\nSIG\r\n\r\n",
                CRC + ":sOO8/Q==\nSIG\n\n",
                CRC + ":sOO8/Q==\n\r\nSIG\r\n\r\n",
                "X-Amz-Checksum-Crc32c: sOO8/Q== \r\nSIG\r\n\r\n"
            })
    void decodesTheDocumentedTrailerExampleWithAnyLineEnds(String trailer) throws IOException {
        Decoded decoded =
                decode(
                        documentedTrailerBody(trailer.replace("SIG", TRAILER_SIGNATURE)),
                        SIGNED_TRAILER,
                        documentedTrailerHead(),
                        OptionalLong.of(66560),
                        Set.of(CRC),
                        1 << 20,
                        1 << 20);
        assertThat(decoded.payload()).isEqualTo(letters(66560));
        assertThat(decoded.trailers()).containsExactly(Map.entry(CRC, "sOO8/Q=="));
    }

    @Test
    void refusesTamperedChunksAndTrailers() {
        byte[] flipped = documentedBody();
        flipped[40_000] ^= 1;
        refusedSigned(flipped, Reason.SIGNATURE_MISMATCH);
        byte[] flippedInSecond = documentedBody();
        flippedInSecond[66_000] ^= 1;
        refusedSigned(flippedInSecond, Reason.SIGNATURE_MISMATCH);
        String text = new String(documentedBody(), StandardCharsets.ISO_8859_1);
        refusedSigned(wire(text.replace(LAST, CHUNK_1)), Reason.SIGNATURE_MISMATCH);
        refused(
                () ->
                        decode(
                                documentedTrailerBody(
                                        CRC + ":AAAAAA==\r\n" + TRAILER_SIGNATURE + "\r\n\r\n"),
                                SIGNED_TRAILER,
                                documentedTrailerHead(),
                                OptionalLong.of(66560),
                                Set.of(CRC),
                                1 << 20,
                                1 << 20),
                Reason.SIGNATURE_MISMATCH);
    }

    @Test
    void refusesATrailerWithoutItsSignature() {
        refused(
                () ->
                        decode(
                                documentedTrailerBody(CRC + ":sOO8/Q==\r\n\r\n\r\n"),
                                SIGNED_TRAILER,
                                documentedTrailerHead(),
                                OptionalLong.of(66560),
                                Set.of(CRC),
                                1 << 20,
                                1 << 20),
                Reason.INCOMPLETE_BODY);
    }

    @Test
    void refusesAnEmptyPayloadWithAForgedLastChunk() {
        refusedSigned(wire("0;chunk-signature=" + LAST + "\r\n\r\n"), Reason.INCOMPLETE_BODY);
        refused(
                () ->
                        decode(
                                wire("0;chunk-signature=" + LAST + "\r\n\r\n"),
                                SIGNED,
                                documentedHead(),
                                OptionalLong.of(0),
                                Set.of(),
                                100,
                                100),
                Reason.SIGNATURE_MISMATCH);
    }

    @Test
    void refusesSmallSignedChunksThatAreNotTheLast() {
        ChunkedBodyEncoder encoder = new ChunkedBodyEncoder(SIGNED, documentedHead());
        byte[] body =
                wire(
                        encoder.chunk(letters(8191)),
                        encoder.chunk(letters(1)),
                        encoder.end(Map.of()));
        SigV4Exception small =
                refused(
                        () ->
                                decode(
                                        body,
                                        SIGNED,
                                        documentedHead(),
                                        OptionalLong.of(8192),
                                        Set.of(),
                                        999,
                                        1 << 16),
                        Reason.INVALID_CHUNK_SIZE);
        assertThat(small.details())
                .containsEntry("Chunk", "2")
                .containsEntry("BadChunkSize", "8191");
    }

    @Test
    void everyTruncationIsIncomplete() {
        byte[] whole = documentedBody();
        for (int cut : new int[] {0, 5, 88, 50_000, 65_624, 66_700, 66_823}) {
            refusedSigned(Arrays.copyOf(whole, cut), Reason.INCOMPLETE_BODY);
        }
    }

    @Test
    void decodesUnsignedChunksWithAndWithoutTrailers() throws IOException {
        assertThat(unsigned("5\r\nhello\r\n0\r\n" + CRC + ":abc=\r\n\r\n", 5, CRC))
                .satisfies(
                        decoded -> {
                            assertThat(decoded.payload()).asString().isEqualTo("hello");
                            assertThat(decoded.trailers()).containsEntry(CRC, "abc=");
                        });
        assertThat(unsigned("5\r\nhello\r\n0\r\n\r\n", -1).trailers()).isEmpty();
        assertThat(unsigned("000A\r\n0123456789\r\n0\r\n\n", 10).payload()).hasSize(10);
        assertThat(unsigned("0\r\n\r\n", 0).payload()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\nhello\r\n0\r\n\r\n",
                "5 \r\nhello\r\n0\r\n\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "+5\r\nhello\r\n0\r\n\r\n",
                "0x5\r\nhello\r\n0\r\n\r\n",
                "5;ext=1\r\nhello\r\n0\r\n\r\n",
                "\r\n5\r\nhello\r\n0\r\n\r\n",
                "5\r\nhelloXX0\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "3\r\nhello\r\n0\r\n\r\n",
                "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
                "7FFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
                "00000000000000005\r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r\n0\r\n\r\nmore",
                "5\r\nhello\r\nzz\r\n\r\n"
            })
    void refusesMalformedFraming(String wire) {
        refused(() -> unsigned(wire, -1), Reason.MALFORMED_CHUNK);
    }

    @Test
    void refusesALineWithoutEnd() {
        refused(() -> unsigned("5".repeat(100_000), -1), Reason.MALFORMED_CHUNK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "6", "0"})
    void refusesAnotherLengthThanDeclared(String length) {
        refused(
                () -> unsigned("5\r\nhello\r\n0\r\n\r\n", Long.parseLong(length)),
                Reason.INCOMPLETE_BODY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "x-amz-checksum-crc32:abc=\r\n\r\n",
                CRC + ":a\r\n" + CRC + ":b\r\n\r\n",
                CRC + "\r\n\r\n",
                ":a\r\n\r\n",
                CRC + ":a\r\nx-other:b\r\n\r\n"
            })
    void refusesTrailersThatAreNotTheDeclaredOnes(String trailers) {
        refused(() -> unsigned("5\r\nhello\r\n0\r\n" + trailers, 5, CRC), Reason.MALFORMED_TRAILER);
    }

    @Test
    void refusesTrailersWithoutBound() {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            fields.append("x-").append(i).append(":v\r\n");
        }
        refused(
                () -> unsigned("5\r\nhello\r\n0\r\n" + fields + "\r\n", 5, CRC),
                Reason.MALFORMED_TRAILER);
    }

    @Test
    void randomPayloadsSurviveARoundTrip() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            PayloadMode mode = List.of(SIGNED, SIGNED_TRAILER, UNSIGNED).get(random.nextInt(3));
            SigningContext signing = mode.equals(UNSIGNED) ? null : documentedHead();
            ChunkedBodyEncoder encoder = new ChunkedBodyEncoder(mode, signing);
            ByteArrayOutputStream payload = new ByteArrayOutputStream();
            ByteArrayOutputStream framed = new ByteArrayOutputStream();
            int chunks = random.nextInt(5);
            for (int i = 0; i < chunks; i++) {
                byte[] data = new byte[8192 + random.nextInt(100_000)];
                random.nextBytes(data);
                payload.writeBytes(data);
                framed.writeBytes(encoder.chunk(data));
            }
            Map<String, String> trailers = new HashMap<>();
            if (!mode.equals(SIGNED)) {
                trailers.put(CRC, "value");
            }
            framed.writeBytes(encoder.end(trailers));
            Decoded decoded =
                    decode(
                            framed.toByteArray(),
                            mode,
                            signing,
                            OptionalLong.of(payload.size()),
                            trailers.keySet(),
                            1 + random.nextInt(50_000),
                            1 + random.nextInt(300_000));
            assertThat(decoded.payload()).as("seed %d", seed).isEqualTo(payload.toByteArray());
            assertThat(decoded.trailers()).as("seed %d", seed).isEqualTo(trailers);
        }
    }

    private static void refusedSigned(byte[] wire, Reason reason) {
        refused(
                () ->
                        decode(
                                wire,
                                SIGNED,
                                documentedHead(),
                                OptionalLong.of(66560),
                                Set.of(),
                                1 << 20,
                                1 << 20),
                reason);
    }

    @Test
    void mangledSignedPayloadsNeverComeThrough() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] genuine = documentedBody();
        for (int round = 0; round < 300; round++) {
            byte[] wire = genuine.clone();
            int at = random.nextInt(4) == 0 ? random.nextInt(wire.length) : headerByte(random);
            wire[at] ^= (byte) (1 << random.nextInt(8));
            String description = "seed " + seed + " byte " + at;
            try {
                Decoded decoded =
                        decode(
                                wire,
                                SIGNED,
                                documentedHead(),
                                OptionalLong.of(66560),
                                Set.of(),
                                1 + random.nextInt(70_000),
                                1 + random.nextInt(70_000));
                assertThat(decoded.payload()).as(description).isEqualTo(letters(66560));
                assertThat(Character.toLowerCase(wire[at]))
                        .as(description)
                        .isEqualTo(Character.toLowerCase(genuine[at]));
            } catch (SigV4Exception e) {
                assertThat(e.reason()).as(description).isNotNull();
            }
        }
    }

    /** A position in one of the three chunk headers, where mistakes matter most. */
    private static int headerByte(Random random) {
        int[] starts = {0, 5 + 83 + 65_536, 66_824 - 88};
        return starts[random.nextInt(3)] + random.nextInt(88);
    }
}
