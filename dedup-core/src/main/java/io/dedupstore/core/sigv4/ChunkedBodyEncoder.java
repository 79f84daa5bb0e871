package io.dedupstore.core.sigv4;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the {@code aws-chunked} framing on a payload; for our own tools and for tests. */
public final class ChunkedBodyEncoder {
    private final PayloadMode mode;
    private final @Nullable SigningContext signing;
    private String previous;

    /**
     * @param signing null for the unsigned mode
     */
    public ChunkedBodyEncoder(PayloadMode mode, @Nullable SigningContext signing) {
        boolean signed = !(mode instanceof PayloadMode.StreamingUnsignedTrailer);
        if (!mode.framed() || signed != (signing != null)) {
            throw new IllegalArgumentException(
                    "mode " + mode + " and signing context do not go together");
        }
        this.mode = mode;
        this.signing = signing;
        this.previous = signing == null ? "" : signing.seed();
    }

    /** One framed chunk; {@code data} must not be empty. */
    public byte[] chunk(byte[] data) {
        if (data.length == 0) {
            throw new IllegalArgumentException("an empty chunk would end the payload");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(data.length + 128);
        text(out, header(data));
        out.writeBytes(data);
        text(out, "\r\n");
        return out.toByteArray();
    }

    /** The empty chunk and the trailing fields, in the given order. */
    public byte[] end(Map<String, String> trailers) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        text(out, header(new byte[0]));
        StringBuilder canonical = new StringBuilder();
        trailers.forEach(
                (name, value) -> {
                    String field = name.toLowerCase(Locale.ROOT) + ":" + value;
                    text(out, field + "\r\n");
                    canonical.append(field).append('\n');
                });
        if (mode instanceof PayloadMode.StreamingSignedTrailer && signing != null) {
            String hash = Hmac.sha256Hex(canonical.toString());
            String signature = SigningContext.hex(signing.trailerSignature(previous, hash));
            text(out, "x-amz-trailer-signature:" + signature + "\r\n");
        }
        text(out, "\r\n");
        return out.toByteArray();
    }

    private String header(byte[] data) {
        String size = Integer.toHexString(data.length);
        if (signing == null) {
            return size + "\r\n";
        }
        PayloadHasher.Running running = PayloadHasher.jdk().start();
        running.update(ByteBuffer.wrap(data));
        previous =
                SigningContext.hex(
                        signing.chunkSignature(previous, SigningContext.hex(running.digest())));
        return size + ";chunk-signature=" + previous + "\r\n";
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
