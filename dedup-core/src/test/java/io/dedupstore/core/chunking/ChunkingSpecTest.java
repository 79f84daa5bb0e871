package io.dedupstore.core.chunking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkingSpecTest {

    @ParameterizedTest
    @CsvSource({
        "cdc:8k, 0x010d, 32768",
        "cdc:16k, 0x010e, 65536",
        "cdc:32k, 0x010f, 131072",
        "cdc:64k, 0x0110, 262144",
        "fixed:4k, 0x020c, 4096",
        "fixed:128k, 0x0211, 131072",
        "fixed:1m, 0x0214, 1048576"
    })
    void textIdAndMaximumOfASpecNeverChange(String text, String id, int max) {
        ChunkingSpec spec = ChunkingSpec.parse(text);
        assertThat(spec.format()).isEqualTo(text);
        assertThat(spec.id()).isEqualTo(Integer.decode(id));
        assertThat(spec.maxChunkLength()).isEqualTo(max);
        assertThat(ChunkingSpec.ofId(spec.id())).isEqualTo(spec);
    }

    @Test
    void plainCdcIsTheDefault() {
        assertThat(ChunkingSpec.parse(" CDC ")).isEqualTo(ChunkingSpec.DEFAULT);
        assertThat(ChunkingSpec.DEFAULT)
                .isEqualTo(new ChunkingSpec.Cdc(16 << 10, 64 << 10, 256 << 10));
    }

    @Test
    void thresholdsAreTwoBitsBelowAndAboveTheAverage() {
        ChunkingSpec.Cdc spec = ChunkingSpec.Cdc.ofAverage(64 << 10);
        assertThat(spec.strictThreshold()).isEqualTo(1 << 14);
        assertThat(spec.looseThreshold()).isEqualTo(1 << 18);
    }

    @Test
    void largerAveragesAreComputedButNoBucketCanHaveThem() {
        ChunkingSpec.Cdc large = ChunkingSpec.Cdc.ofAverage(256 << 10);
        assertThat(large.maxChunkLength()).isEqualTo(ChunkingSpec.MAX_CHUNK_LENGTH);
        assertThat(large.isOffered()).isFalse();
        assertThat(ChunkingSpec.Cdc.ofAverage(64 << 10).isOffered()).isTrue();
        assertThatThrownBy(() -> ChunkingSpec.parse(large.format()))
                .isInstanceOf(ChunkingException.class);
        assertThatThrownBy(() -> ChunkingSpec.ofId(large.id()))
                .isInstanceOf(ChunkingException.class);
        assertThatThrownBy(() -> ChunkingSpec.Cdc.ofAverage(512 << 10))
                .isInstanceOf(ChunkingException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cdc:",
                "cdc:4k",
                "cdc:128k",
                "cdc:8k:1",
                "cdc:12k",
                "fixed",
                "fixed:2k",
                "fixed:2m",
                "fixed:5k",
                "fixed:-4k",
                "fixed:k",
                "fixed:9999999m",
                "rabin:8k"
            })
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> ChunkingSpec.parse(text))
                .isInstanceOfSatisfying(
                        ChunkingException.class,
                        e -> assertThat(e.code()).isEqualTo(ChunkingException.Code.BAD_SPEC));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 0x0100, 0x010c, 0x0111, 0x020b, 0x0215, 0x0310, 0x01ff, 0x10110})
    void otherIdsAreRefused(int id) {
        assertThatThrownBy(() -> ChunkingSpec.ofId(id)).isInstanceOf(ChunkingException.class);
    }
}
