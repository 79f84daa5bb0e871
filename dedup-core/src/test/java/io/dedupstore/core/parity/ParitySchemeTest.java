package io.dedupstore.core.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParitySchemeTest {

    @Test
    void whatIsWrittenCanBeRead() {
        assertThat(ParityScheme.parse(" 10+4 ")).isEqualTo(new ParityScheme(10, 4));
        assertThat(new ParityScheme(10, 4).format()).isEqualTo("10+4");
        assertThat(ParityScheme.parse("16+16").fragments()).isEqualTo(32);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "4",
                "4+",
                "+2",
                "4+2+1",
                "4-2",
                "4+-2",
                "0+2",
                "4+0",
                "31+2",
                "2147483647+2",
                "4294967297+2",
                "four+2"
            })
    void whatIsNoSchemeIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ParityScheme.parse(text));
    }
}
