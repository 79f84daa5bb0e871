package io.dedupstore.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DirectMemoryTest {
    @Test
    void thisJvmHasALimit() {
        assertThat(DirectMemory.limitBytes()).isBetween(1L << 20, 1L << 50);
    }

    @Test
    void buffersThatFitAreFine() {
        assertThatCode(() -> DirectMemory.check(256 << 20, 512 << 20)).doesNotThrowAnyException();
    }

    @Test
    void moreThanTheJvmAllowsStopsTheStartAndSaysWhatToDo() {
        assertThatThrownBy(() -> DirectMemory.check(512 << 20, 512 << 20))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("512 MiB")
                .hasMessageContaining("DEDUP_JAVA_OPTS=-XX:MaxDirectMemorySize=1024m");
    }
}
