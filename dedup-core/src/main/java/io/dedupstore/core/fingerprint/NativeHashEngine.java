package io.dedupstore.core.fingerprint;

import io.dedupstore.core.jni.NativeLibrary;
import io.dedupstore.core.jni.NativeSha256;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;

/**
 * Multi-buffer SHA-256 in C. A call borrows one of a few persistent job tables; with more callers
 * than tables a new one is made and forgotten. Buffers on the heap are hashed by the JDK twin.
 */
final class NativeHashEngine implements HashEngine {
    private static final int KEPT_TABLES = 16;

    private final ArrayBlockingQueue<NativeSha256.Table> tables =
            new ArrayBlockingQueue<>(KEPT_TABLES);
    private final JdkHashEngine twin = new JdkHashEngine();

    @Override
    public byte[] sha256(List<ByteBuffer> buffers) {
        if (!buffers.stream().allMatch(ByteBuffer::isDirect)) {
            return twin.sha256(buffers);
        }
        byte[] out = new byte[buffers.size() * SHA256_LENGTH];
        withTable(
                table -> {
                    for (int at = 0; at < buffers.size(); at += NativeSha256.Table.ROWS) {
                        int end = Math.min(buffers.size(), at + NativeSha256.Table.ROWS);
                        table.sha256(buffers.subList(at, end), out, at * SHA256_LENGTH);
                    }
                });
        return out;
    }

    @Override
    public byte[] hmacSha256(HmacKey key, byte[] digests) {
        if (digests.length % SHA256_LENGTH != 0) {
            throw new IllegalArgumentException(digests.length + " bytes are not whole digests");
        }
        int count = digests.length / SHA256_LENGTH;
        byte[] out = new byte[digests.length];
        withTable(
                table -> {
                    for (int at = 0; at < count; at += NativeSha256.Table.ROWS) {
                        int n = Math.min(count - at, NativeSha256.Table.ROWS);
                        table.hmacSha256(key.midstates(), digests, out, at * SHA256_LENGTH, n);
                    }
                });
        return out;
    }

    @Override
    public RunningDigest start(DigestAlgorithm algorithm) {
        return switch (algorithm) {
            case SHA256 -> new NativeRunningDigest(BlockHash.SHA256);
            case MD5 -> new NativeRunningDigest(BlockHash.MD5);
            case SHA1 -> new JdkRunningDigest(algorithm);
        };
    }

    @Override
    public String driverName() {
        return NativeLibrary.sha256Driver();
    }

    private void withTable(Consumer<NativeSha256.Table> work) {
        NativeSha256.Table free = tables.poll();
        NativeSha256.Table table = free != null ? free : new NativeSha256.Table();
        work.accept(table);
        tables.offer(table);
    }
}
