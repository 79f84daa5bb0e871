package io.dedupstore.server.auth;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.PayloadHasher;
import io.dedupstore.core.sigv4.SigV4Exception;
import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A payload whose SHA-256 the client signed; compared when its end has been read. */
final class HashedBody implements BodySource {
    private final PlainBody plain;
    private final String expectedHex;
    private final PayloadHasher.Running running;
    private byte @Nullable [] digest;

    HashedBody(ByteSource source, OptionalLong length, String expectedHex, PayloadHasher hasher) {
        this.plain = new PlainBody(source, length);
        this.expectedHex = expectedHex;
        this.running = hasher.start();
    }

    @Override
    public OptionalLong declaredLength() {
        return plain.declaredLength();
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        int count = readAhead(dst);
        settle();
        return count;
    }

    @Override
    public int readAhead(ByteBuffer dst) throws IOException {
        int start = dst.position();
        int count = plain.read(dst);
        if (count > 0) {
            running.updateLater(dst.slice(start, count));
        } else if (count < 0) {
            verify();
        }
        return count;
    }

    @Override
    public void settle() {
        running.settle();
    }

    private void verify() {
        if (digest == null) {
            digest = running.digest();
        }
        if (!MessageDigest.isEqual(digest, HexFormat.of().parseHex(expectedHex))) {
            throw new SigV4Exception(
                    Reason.PAYLOAD_HASH_MISMATCH,
                    "The provided 'x-amz-content-sha256' header does not match what was computed.",
                    Map.of(
                            "ClientComputedContentSHA256",
                            expectedHex,
                            "S3ComputedContentSHA256",
                            HexFormat.of().formatHex(digest)));
        }
    }

    @Override
    public Map<String, String> trailers() {
        return plain.trailers();
    }
}
