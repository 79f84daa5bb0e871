package io.dedupstore.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dedupstore.core.compression.ChunkCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentBytesTest {
    private static final int BYTES = 5000;

    @ParameterizedTest
    @CsvSource({"1, 903973049f5f2691", "2, 3206d4dca9ccbe4d", "10, 9a80ff59abfd9cef"})
    void bytesNeverChangeFromReleaseToRelease(double ratio, String digest) {
        assertThat(Digests.of(bytes(new ContentBytes(7, ratio), 42, 3, BYTES))).isEqualTo(digest);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.3, 2, 4, 10})
    void anyRangeIsThatRangeOfTheWhole(double ratio) {
        ContentBytes contents = new ContentBytes(1, ratio);
        byte[] whole = bytes(contents, 9, 0, BYTES);
        Draw draw = new Draw(1);
        for (int i = 0; i < 2000; i++) {
            int from = (int) draw.below(BYTES);
            int length = (int) draw.below(i % 2 == 0 ? 20 : BYTES - from + 1L);
            int to = Math.min(BYTES, from + length);
            assertThat(bytes(contents, 9, from, to - from))
                    .as("%d to %d", from, to)
                    .isEqualTo(Arrays.copyOfRange(whole, from, to));
        }
    }

    @Test
    void farOffsetsAreAsGoodAsNearOnes() {
        ContentBytes contents = new ContentBytes(1, 3);
        long far = (1L << 40) + 5;
        byte[] whole = bytes(contents, 9, far, BYTES);
        assertThat(bytes(contents, 9, far + 1001, 100))
                .isEqualTo(Arrays.copyOfRange(whole, 1001, 1101));
    }

    @Test
    void directAndSlicedBuffersGetTheSameBytes() {
        ContentBytes contents = new ContentBytes(1, 2);
        byte[] whole = bytes(contents, 9, 11, BYTES);
        ByteBuffer direct = ByteBuffer.allocateDirect(BYTES + 20).position(13).limit(13 + BYTES);
        contents.fill(9, 11, direct);
        assertThat(direct.position()).isEqualTo(13 + BYTES);
        byte[] copy = new byte[BYTES];
        direct.get(13, copy);
        assertThat(copy).isEqualTo(whole);
        byte[] array = new byte[BYTES + 20];
        contents.fill(9, 11, ByteBuffer.wrap(array, 2, BYTES + 10).slice().limit(BYTES));
        assertThat(Arrays.copyOfRange(array, 2, 2 + BYTES)).isEqualTo(whole);
        assertThat(Arrays.copyOfRange(array, 2 + BYTES, array.length)).containsOnly(0);
    }

    @Test
    void contentsAndSeedsDifferInEveryWord() {
        byte[] first = bytes(new ContentBytes(1, 1), 1, 0, BYTES);
        byte[] second = bytes(new ContentBytes(1, 1), 2, 0, BYTES);
        byte[] otherSeed = bytes(new ContentBytes(2, 1), 1, 0, BYTES);
        for (int at = 0; at < BYTES; at += 8) {
            long word = ByteBuffer.wrap(first).getLong(at);
            assertThat(word).isNotEqualTo(ByteBuffer.wrap(second).getLong(at));
            assertThat(word).isNotEqualTo(ByteBuffer.wrap(otherSeed).getLong(at));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 2, 10})
    void twoWholeWordsTellWhoseTheyAre(double ratio) {
        ContentBytes contents = new ContentBytes(3, ratio);
        long content = StretchPlan.DUPLICATED + 77;
        for (int offset : new int[] {0, 1, 100, 4095}) {
            ByteBuffer bytes = ByteBuffer.wrap(bytes(contents, content, offset, 24));
            assertThat(contents.recognise(bytes, offset)).isEqualTo(OptionalLong.of(content));
            assertThat(contents.recognise(bytes, offset + 512))
                    .isNotEqualTo(OptionalLong.of(content));
            assertThat(contents.recognise(bytes.slice(0, 15), offset)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"8192", "65536"})
    void codecsReachTheRatioAskedFor(int length) {
        for (double ratio : new double[] {1, 1.25, 1.5, 2, 3, 4, 6, 8, 10}) {
            WorkloadSpec spec = WorkloadSpec.unique(5, length, 1).withCompressionRatio(ratio);
            for (Compressed result : Compressed.measure(spec)) {
                assertThat(result.ratio())
                        .as("%s of %d bytes at %s", result.codec(), result.bytes(), ratio)
                        .isCloseTo(ratio, within(ratio * 0.05));
            }
        }
        assertThat(Compressed.measure(WorkloadSpec.unique(5, length, 1)))
                .extracting(Compressed::codec)
                .contains(ChunkCodec.LZ4, ChunkCodec.ZSTD);
    }

    private static byte[] bytes(ContentBytes contents, long content, long offset, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        contents.fill(content, offset, bytes);
        return bytes.array();
    }
}
