package io.dedupstore.core.object;

import io.dedupstore.core.chunking.Chunker;
import io.dedupstore.core.io.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A sliding window over a body: filled from the source, cut into chunks at its front, its undecided
 * tail moved to the front for the next round. One request's own.
 */
final class ChunkWindow {
    private static final int MAX_CHUNKS_PER_ROUND = 512;

    private final ByteBuffer buffer;
    private final ByteSource source;
    private final int[] lengths = new int[MAX_CHUNKS_PER_ROUND];
    private boolean ended;
    private int filledFrom;

    /**
     * @param buffer cleared; larger than the longest chunk
     */
    ChunkWindow(ByteBuffer buffer, ByteSource source) {
        this.buffer = buffer;
        this.source = source;
    }

    /** Reads until the window is full or the source ends. */
    void fill() throws IOException {
        filledFrom = buffer.position();
        if (!ended && !buffer.hasRemaining()) {
            throw new IllegalStateException("window of " + filledFrom + " bytes without a cut");
        }
        while (!ended && buffer.hasRemaining()) {
            ended = source.readAhead(buffer) < 0;
        }
    }

    /** Nobody but this window looks at its bytes any more. */
    void settle() {
        source.settle();
    }

    /** Whether the source has ended; the window may still hold bytes. */
    boolean ended() {
        return ended;
    }

    /** Bytes in the window. */
    int size() {
        return buffer.position();
    }

    /** What the last {@link #fill} added. */
    ByteBuffer fresh() {
        return buffer.slice(filledFrom, buffer.position() - filledFrom);
    }

    /** All bytes in the window. */
    ByteBuffer all() {
        return buffer.slice(0, buffer.position());
    }

    /** Chunks at the front, at most 512, as views that are good until {@link #consume}. */
    List<ByteBuffer> chunks(Chunker chunker, int from) {
        int count = chunker.cuts(buffer.slice(from, buffer.position() - from), ended, lengths);
        List<ByteBuffer> chunks = new ArrayList<>(count);
        int at = from;
        for (int i = 0; i < count; i++) {
            chunks.add(buffer.slice(at, lengths[i]));
            at += lengths[i];
        }
        return chunks;
    }

    /** Drops the first {@code bytes} and moves the rest to the front; settled before. */
    void consume(int bytes) {
        buffer.flip().position(bytes);
        buffer.compact();
    }
}
