package io.dedupstore.core.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class NativeParityTest {
    private final ByteBuffer a = ByteBuffer.allocateDirect(10);
    private final ByteBuffer b = ByteBuffer.allocateDirect(10);

    @Test
    void theDriverInUseHasAName() {
        assertThat(NativeLibrary.parityDriver()).isNotBlank();
        assertThat(NativeParity.drivers()).doesNotContain("");
    }

    @Test
    void argumentsAreCheckedBeforeNativeCodeSeesThem() {
        Assumptions.assumeFalse(NativeParity.drivers().isEmpty(), "no ISA-L here");
        ByteBuffer longer = ByteBuffer.allocateDirect(11);
        refused(new byte[2], List.of(a), List.of(b));
        refused(new byte[0], List.of(a), List.of());
        refused(new byte[0], List.of(), List.of(b));
        refused(new byte[1], List.of(a), List.of(longer));
        refused(new byte[1], List.of(longer), List.of(b));
        refused(new byte[1], List.of(ByteBuffer.allocate(10)), List.of(b));
        refused(new byte[32], Collections.nCopies(32, a), List.of(b));
        refused(new byte[256], Collections.nCopies(1, a), Collections.nCopies(256, b));
        assertThatThrownBy(
                        () ->
                                NativeParity.multiply(
                                        0, new byte[1], List.of(a), List.of(b.asReadOnlyBuffer())))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThatThrownBy(
                        () ->
                                NativeParity.multiply(
                                        NativeParity.drivers().size(),
                                        new byte[1],
                                        List.of(a),
                                        List.of(b)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NativeParity.add(0, new byte[2], a, List.of(b)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NativeParity.add(0, new byte[0], a, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NativeParity.add(0, new byte[32], a, Collections.nCopies(32, b)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NativeParity.update(0, new byte[1], longer, a, List.of(b)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void refused(byte[] matrix, List<ByteBuffer> in, List<ByteBuffer> out) {
        assertThatThrownBy(() -> NativeParity.multiply(0, matrix, in, out))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
