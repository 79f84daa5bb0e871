package io.dedupstore.core.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;

/**
 * Zstandard frames. Contexts hold native memory and are dear to make, so a few wait in a pool; one
 * too many is closed.
 */
final class Zstandard {
    private static final int LEVEL = 3;
    private static final int POOLED_CONTEXTS = 32;

    private static final ArrayBlockingQueue<ZstdCompressCtx> COMPRESSORS =
            new ArrayBlockingQueue<>(POOLED_CONTEXTS);
    private static final ArrayBlockingQueue<ZstdDecompressCtx> DECOMPRESSORS =
            new ArrayBlockingQueue<>(POOLED_CONTEXTS);

    private Zstandard() {}

    static int bound(int length) {
        return Math.toIntExact(Zstd.compressBound(length));
    }

    static int compress(ByteBuffer src, ByteBuffer dst) {
        ZstdCompressCtx context = take(COMPRESSORS, Zstandard::newCompressor);
        try {
            if (src.isDirect() && dst.isDirect()) {
                return context.compressDirectByteBuffer(
                        dst, dst.position(), dst.remaining(), src, src.position(), src.remaining());
            }
            byte[] compressed = context.compress(bytes(src));
            dst.duplicate().put(compressed);
            return compressed.length;
        } catch (ZstdException e) {
            throw new CompressionException(CompressionException.Code.FAILED, "zstd failed", e);
        } finally {
            if (!COMPRESSORS.offer(context)) {
                context.close();
            }
        }
    }

    static void decompress(ByteBuffer src, ByteBuffer dst) {
        ZstdDecompressCtx context = take(DECOMPRESSORS, ZstdDecompressCtx::new);
        try {
            int length = decompress(context, src, dst);
            if (length != dst.remaining()) {
                throw new CompressionException(
                        CompressionException.Code.DAMAGED,
                        "zstd gave %d bytes instead of %d: damaged chunk"
                                .formatted(length, dst.remaining()));
            }
        } catch (ZstdException e) {
            throw new CompressionException(
                    CompressionException.Code.DAMAGED,
                    "stored bytes are not zstd: damaged chunk",
                    e);
        } finally {
            if (!DECOMPRESSORS.offer(context)) {
                context.close();
            }
        }
    }

    private static int decompress(ZstdDecompressCtx context, ByteBuffer src, ByteBuffer dst) {
        if (src.isDirect() && dst.isDirect()) {
            return context.decompressDirectByteBuffer(
                    dst, dst.position(), dst.remaining(), src, src.position(), src.remaining());
        }
        byte[] plain = new byte[dst.remaining()];
        byte[] packed = bytes(src);
        int length = context.decompressByteArray(plain, 0, plain.length, packed, 0, packed.length);
        dst.duplicate().put(plain, 0, length);
        return length;
    }

    private static ZstdCompressCtx newCompressor() {
        // The record carries length and checksum; the frame need not.
        return new ZstdCompressCtx().setLevel(LEVEL).setContentSize(false).setChecksum(false);
    }

    private static <C> C take(ArrayBlockingQueue<C> pool, Supplier<C> maker) {
        C context = pool.poll();
        return context != null ? context : maker.get();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
