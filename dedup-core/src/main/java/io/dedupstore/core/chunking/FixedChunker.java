package io.dedupstore.core.chunking;

import java.nio.ByteBuffer;

record FixedChunker(ChunkingSpec.Fixed spec) implements Chunker {

    @Override
    public int cuts(ByteBuffer window, boolean endOfInput, int[] lengths) {
        int size = spec.size();
        int left = window.remaining();
        int count = 0;
        while (count < lengths.length && left >= size) {
            lengths[count++] = size;
            left -= size;
        }
        if (count < lengths.length && endOfInput && left > 0) {
            lengths[count++] = left;
        }
        return count;
    }

    @Override
    public int maxChunkLength() {
        return spec.size();
    }

    @Override
    public String driverName() {
        return "fixed";
    }
}
