package io.dedupstore.core.chunking;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ZeroChunksTest {

    @Test
    void oneByteAnywhereMakesTheDifference() {
        for (int length : new int[] {1, 2, 63, 4096, 4097, 70_001}) {
            ByteBuffer chunk = ByteBuffer.allocateDirect(length + 2);
            chunk.put(0, (byte) 1).put(length + 1, (byte) 1).position(1).limit(length + 1);
            assertThat(ZeroChunks.isZero(chunk)).isTrue();
            for (int at = 1; at <= length; at += Math.max(1, length / 37)) {
                chunk.put(at, (byte) 0x80);
                assertThat(ZeroChunks.isZero(chunk)).as("byte %d of %d", at, length).isFalse();
                chunk.put(at, (byte) 0);
            }
            assertThat(chunk.position()).isEqualTo(1);
        }
    }

    @Test
    void nothingIsNotAZeroChunk() {
        assertThat(ZeroChunks.isZero(ByteBuffer.allocate(0))).isFalse();
    }
}
