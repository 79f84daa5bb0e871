package io.dedupstore.core.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ChunkCodecTest {
    private static final long SEED = 20261109;

    private static byte[] text(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < length; i++) {
            text.append("line ").append(i * 7919).append(" of some log file\n");
        }
        return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(SEED).nextBytes(bytes);
        return bytes;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static byte[] bytes(ByteBuffer buffer, int from, int length) {
        byte[] bytes = new byte[length];
        buffer.get(from, bytes);
        return bytes;
    }

    @ParameterizedTest
    @CsvSource({"off, 0", "lz4, 1", "zstd, 2"})
    void nameAndIdNeverChange(String name, int id) {
        assertThat(ChunkCodec.parse(name).id()).isEqualTo((byte) id);
        assertThat(ChunkCodec.ofId(id).format()).isEqualTo(name);
    }

    @ParameterizedTest
    @EnumSource(ChunkCodec.class)
    void whatWasCompressedComesBack(ChunkCodec codec) {
        IntFunction<ByteBuffer> onHeap = ByteBuffer::allocate;
        IntFunction<ByteBuffer> offHeap = ByteBuffer::allocateDirect;
        for (IntFunction<ByteBuffer> source : java.util.List.of(onHeap, offHeap)) {
            for (IntFunction<ByteBuffer> target : java.util.List.of(onHeap, offHeap)) {
                for (int length : new int[] {1, 20, 4096, 70_000, ChunkCodec.MAX_LENGTH}) {
                    roundTrip(codec, text(length), source, target);
                }
            }
        }
    }

    private static void roundTrip(
            ChunkCodec codec,
            byte[] plain,
            IntFunction<ByteBuffer> source,
            IntFunction<ByteBuffer> target) {
        ByteBuffer src = source.apply(plain.length + 3).position(3);
        src.put(plain).flip().position(3);
        ByteBuffer dst = target.apply(codec.maxCompressedLength(plain.length) + 7).position(7);
        int packed = codec.compress(src, dst);
        assertThat(src.position()).isEqualTo(3);
        assertThat(dst.position()).isEqualTo(7);
        if (plain.length >= 4096 && codec != ChunkCodec.OFF) {
            assertThat(packed).isBetween(1, plain.length / 2);
        }
        if (packed < 0) {
            return;
        }
        ByteBuffer back = source.apply(plain.length + 12).position(5);
        codec.decompress(dst.duplicate().limit(7 + packed), back, plain.length);
        assertThat(back.position()).isEqualTo(5);
        assertThat(bytes(back, 5, plain.length)).isEqualTo(plain);
        assertThat(bytes(back, 5 + plain.length, 7)).containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource(ChunkCodec.class)
    void whatDoesNotShrinkIsLeftAlone(ChunkCodec codec) {
        for (int length : new int[] {0, 1, 100, 5000, 300_000}) {
            ByteBuffer src = direct(random(length));
            ByteBuffer dst = ByteBuffer.allocateDirect(codec.maxCompressedLength(length));
            assertThat(codec.compress(src, dst)).isEqualTo(-1);
        }
        byte[] barely = random(200_000);
        System.arraycopy(new byte[6000], 0, barely, 1000, 6000);
        ByteBuffer dst = ByteBuffer.allocateDirect(codec.maxCompressedLength(barely.length));
        assertThat(codec.compress(direct(barely), dst)).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource(
            value = ChunkCodec.class,
            names = {"LZ4", "ZSTD"})
    void damageIsAnExceptionAndNeverWritesBeyondTheChunk(ChunkCodec codec) {
        byte[] plain = text(60_000);
        ByteBuffer packed = ByteBuffer.allocateDirect(codec.maxCompressedLength(plain.length));
        int length = codec.compress(direct(plain), packed);
        SplittableRandom random = new SplittableRandom(SEED);
        int refused = 0;
        for (int round = 0; round < 500; round++) {
            byte[] damaged = bytes(packed, 0, length);
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged[random.nextInt(length)] ^= (byte) (1 + random.nextInt(255));
            }
            int cut = round % 5 == 0 ? 1 + random.nextInt(length) : length;
            ByteBuffer stored = direct(damaged).limit(cut);
            ByteBuffer back = ByteBuffer.allocateDirect(plain.length + 64);
            Throwable thrown = catchThrowable(() -> codec.decompress(stored, back, plain.length));
            if (thrown != null) {
                refused++;
                assertThat(thrown).as("seed %d", SEED).isInstanceOf(CompressionException.class);
            }
            assertThat(bytes(back, plain.length, 64)).containsOnly(0);
        }
        assertThat(refused).isGreaterThan(100);
    }

    @ParameterizedTest
    @EnumSource(
            value = ChunkCodec.class,
            names = {"LZ4", "ZSTD"})
    void aWrongDeclaredLengthIsDamage(ChunkCodec codec) {
        ByteBuffer packed = ByteBuffer.allocateDirect(codec.maxCompressedLength(60_000));
        int length = codec.compress(direct(text(60_000)), packed);
        for (int declared : new int[] {59_999, 60_001, 1}) {
            ByteBuffer back = ByteBuffer.allocateDirect(70_000);
            assertThatThrownBy(
                            () ->
                                    codec.decompress(
                                            packed.duplicate().limit(length), back, declared))
                    .isInstanceOfSatisfying(
                            CompressionException.class,
                            e -> assertThat(e.code()).isEqualTo(CompressionException.Code.DAMAGED));
        }
    }

    @Test
    void impossibleLengthsAreRefusedBeforeAnythingIsAllocated() {
        assertBadLength(ChunkCodec.ZSTD, 20, ChunkCodec.MAX_LENGTH + 1);
        assertBadLength(ChunkCodec.ZSTD, 0, 10);
        assertBadLength(ChunkCodec.ZSTD, 20, -1);
        assertBadLength(ChunkCodec.LZ4, 20, 1 << 20);
        assertBadLength(ChunkCodec.LZ4, 2 << 20, 1 << 20);
        assertBadLength(ChunkCodec.OFF, 20, 21);
        assertThat(ChunkCodec.OFF.checkLength(20, 20)).isEqualTo(20);
        assertThat(ChunkCodec.ZSTD.checkLength(50, 1 << 20)).isEqualTo(1 << 20);
    }

    private static void assertBadLength(ChunkCodec codec, int stored, int length) {
        assertThatThrownBy(() -> codec.checkLength(stored, length))
                .isInstanceOfSatisfying(
                        CompressionException.class,
                        e -> assertThat(e.code()).isEqualTo(CompressionException.Code.BAD_LENGTH));
    }

    @Test
    void unknownCodecsAreRefused() {
        assertThatThrownBy(() -> ChunkCodec.ofId(3)).isInstanceOf(CompressionException.class);
        assertThatThrownBy(() -> ChunkCodec.parse("gzip")).isInstanceOf(CompressionException.class);
    }

    @Test
    void aDestinationThatIsTooSmallIsRefused() {
        ByteBuffer small = ByteBuffer.allocateDirect(100);
        assertThatThrownBy(() -> ChunkCodec.LZ4.compress(direct(text(5000)), small))
                .isInstanceOf(CompressionException.class);
    }
}
