package io.dedupstore.core.compression;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4's plain format. Its safe decompressor holds every write to the destination's bounds. */
final class Lz4 {
    private static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
    private static final LZ4SafeDecompressor DECOMPRESSOR =
            LZ4Factory.fastestInstance().safeDecompressor();

    private Lz4() {}

    static int bound(int length) {
        return COMPRESSOR.maxCompressedLength(length);
    }

    static int compress(ByteBuffer src, ByteBuffer dst) {
        return COMPRESSOR.compress(
                src, src.position(), src.remaining(), dst, dst.position(), dst.remaining());
    }

    static void decompress(ByteBuffer src, ByteBuffer dst) {
        int length;
        try {
            length =
                    DECOMPRESSOR.decompress(
                            src,
                            src.position(),
                            src.remaining(),
                            dst,
                            dst.position(),
                            dst.remaining());
        } catch (LZ4Exception e) {
            throw new CompressionException(
                    CompressionException.Code.DAMAGED,
                    "stored bytes are not lz4: damaged chunk",
                    e);
        }
        if (length != dst.remaining()) {
            throw new CompressionException(
                    CompressionException.Code.DAMAGED,
                    "lz4 gave "
                            + length
                            + " bytes instead of "
                            + dst.remaining()
                            + ": damaged chunk");
        }
    }
}
