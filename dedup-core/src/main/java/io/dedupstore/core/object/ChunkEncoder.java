package io.dedupstore.core.object;

import io.dedupstore.core.cipher.AttemptCipher;
import io.dedupstore.core.compression.ChunkCodec;
import io.dedupstore.core.model.Fingerprint;
import io.dedupstore.core.spi.ChunkStore.NewChunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chunks as they are stored: compressed, then encrypted. One request's own; runs on the hash pool.
 */
final class ChunkEncoder {
    private final ChunkCodec codec;
    private final @Nullable ByteBuffer room;

    /**
     * @param room for what is made of the chunks, as large as the window; null when they are stored
     *     as they are
     */
    ChunkEncoder(ChunkCodec codec, @Nullable ByteBuffer room) {
        this.codec = codec;
        this.room = room;
    }

    /**
     * As many of the first chunks as there is room for, one at least. They are good until the next
     * call.
     */
    List<NewChunk> encode(List<Chunk> chunks, @Nullable AttemptCipher cipher) {
        List<NewChunk> news = new ArrayList<>(chunks.size());
        ByteBuffer free = room == null ? null : room.clear();
        for (Chunk chunk : chunks) {
            if (cipher == null) {
                news.add(packed(chunk, free));
            } else {
                ByteBuffer out = roomToSeal(chunk, cipher, free);
                if (out == null && !news.isEmpty()) {
                    break;
                }
                news.add(
                        sealed(
                                chunk,
                                cipher,
                                out != null
                                        ? out
                                        : ByteBuffer.allocate(sealedBytes(chunk, cipher))));
            }
        }
        return news;
    }

    private NewChunk packed(Chunk chunk, @Nullable ByteBuffer free) {
        if (free != null && free.remaining() >= codec.maxCompressedLength(chunk.length())) {
            int length = codec.compress(chunk.bytes(), free);
            if (length >= 0) {
                ByteBuffer stored = free.slice(free.position(), length);
                free.position(free.position() + length);
                return new NewChunk(named(chunk), codec.id(), chunk.length(), stored);
            }
        }
        return new NewChunk(named(chunk), ChunkCodec.OFF.id(), chunk.length(), chunk.bytes());
    }

    private static int sealedBytes(Chunk chunk, AttemptCipher cipher) {
        return chunk.length() + cipher.cipher().overhead();
    }

    private static @Nullable ByteBuffer roomToSeal(
            Chunk chunk, AttemptCipher cipher, @Nullable ByteBuffer free) {
        return free != null && free.remaining() >= sealedBytes(chunk, cipher) ? free : null;
    }

    private NewChunk sealed(Chunk chunk, AttemptCipher cipher, ByteBuffer out) {
        Fingerprint fingerprint = named(chunk);
        ByteBuffer packed = chunk.bytes();
        int codecId = ChunkCodec.OFF.id();
        if (codec != ChunkCodec.OFF) {
            ByteBuffer scratch = Scratch.ofBytes(codec.maxCompressedLength(chunk.length()));
            int length = codec.compress(chunk.bytes(), scratch);
            if (length >= 0) {
                packed = scratch.slice(0, length);
                codecId = codec.id();
            }
        }
        int from = out.position();
        cipher.seal(fingerprint, codecId, chunk.length(), packed, out);
        ByteBuffer stored = out.slice(from, out.position() - from);
        return new NewChunk(
                fingerprint,
                codecId,
                cipher.cipher().id(),
                cipher.keyVersion(),
                chunk.length(),
                stored);
    }

    private static Fingerprint named(Chunk chunk) {
        Fingerprint fingerprint = chunk.fingerprint();
        if (fingerprint == null) {
            throw new IllegalStateException("a zero chunk is never stored");
        }
        return fingerprint;
    }
}
