package io.dedupstore.core.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {

    @Test
    void itIsThereOrSaysWhyNot() {
        assertThat(NativeLibrary.available()).isEqualTo(NativeLibrary.problem().isEmpty());
        assertThat(NativeLibrary.gearDriver()).isNotBlank();
        assertThat(NativeLibrary.sha256Driver()).isNotBlank();
        assertThat(NativeLibrary.crc64Driver()).isNotBlank();
        assertThat(NativeLibrary.md5Driver()).isNotBlank();
    }

    @Test
    void limitsOfTheProcessorAreListsOfWords() {
        assertThat(List.of("portable", "sse", "avx2,-sha", "-avx512,-gfni,-vpclmul"))
                .allMatch(NativeLibrary::isCpuLimit);
        assertThat(List.of("", "avx3", "avx2,", ",sse", "avx2 -sha", "-sha,-sha,x"))
                .noneMatch(NativeLibrary::isCpuLimit);
    }

    @Test
    void aLimitComesTooLateOnceTheLibraryIsInUse() {
        String limit = NativeLibrary.cpuLimit();
        NativeLibrary.limitTo(limit);
        assertThatThrownBy(() -> NativeLibrary.limitTo(limit + "-sha,-sha"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(NativeLibrary.cpuLimit()).isEqualTo(limit);
    }

    @Test
    void sizesAreCheckedBeforeNativeCodeSeesThem() {
        Assumptions.assumeTrue(NativeLibrary.available(), "built without a C compiler");
        ByteBuffer direct = ByteBuffer.allocateDirect(100);
        int[] state = new int[8];
        assertThatThrownBy(() -> NativeDigest.SHA256.blocks(state, direct, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NativeDigest.SHA256.blocks(state, direct, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NativeDigest.SHA256.blocks(new int[7], direct, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NativeDigest.SHA256.blocks(state, new byte[128], 65, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NativeCrc64.extend(0, ByteBuffer.allocate(10)))
                .isInstanceOf(IllegalArgumentException.class);
        NativeSha256.Table table = new NativeSha256.Table();
        assertThatThrownBy(() -> table.sha256(List.of(direct), new byte[31], 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> table.hmacSha256(new int[15], new byte[32], new byte[32], 0, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NativeCrc64.extend(NativeCrc64.drivers().size(), 0, direct))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> table.sha256(-1, List.of(direct), new byte[32], 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new NativeGear(9, new int[9], 2048, 8192, 32768, 1, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new NativeGear(0, new int[8], 2048, 8192, 32768, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
