package io.dedupstore.core.fingerprint;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;

/** One stream through one of the XXH family. */
final class XxHashRunningDigest extends RunningDigest {
    private static final int COPY_BYTES = 8 << 10;

    private final DigestAlgorithm algorithm;
    private final HashStream64 stream;

    XxHashRunningDigest(DigestAlgorithm algorithm) {
        this.algorithm = algorithm;
        this.stream =
                switch (algorithm) {
                    case XXHASH64 -> Hashing.xxh64().hashStream();
                    case XXHASH3 -> Hashing.xxh3_64().hashStream();
                    case XXHASH128 -> Hashing.xxh3_128().hashStream();
                    case SHA256, SHA1, MD5, SHA512 ->
                            throw new IllegalArgumentException(algorithm + " is no XXH");
                };
    }

    @Override
    void update(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            stream.putBytes(
                    bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
            return;
        }
        byte[] copy = new byte[Math.min(COPY_BYTES, bytes.remaining())];
        while (bytes.hasRemaining()) {
            int count = Math.min(copy.length, bytes.remaining());
            bytes.get(copy, 0, count);
            stream.putBytes(copy, 0, count);
        }
    }

    @Override
    public byte[] digest() {
        ByteBuffer value = ByteBuffer.allocate(algorithm.length());
        if (stream instanceof HashStream128 wide) {
            HashValue128 hash = wide.get();
            value.putLong(hash.getMostSignificantBits()).putLong(hash.getLeastSignificantBits());
        } else {
            value.putLong(stream.getAsLong());
        }
        stream.reset();
        return value.array();
    }

    @Override
    public DigestAlgorithm algorithm() {
        return algorithm;
    }
}
