package io.dedupstore.server.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3DatesTest {
    private static final Instant SUNDAY = Instant.parse("1994-11-06T08:49:37Z");

    @Test
    void documentsHaveMillisecondsAndHeadersHaveNot() {
        assertThat(S3Dates.iso(SUNDAY.toEpochMilli())).isEqualTo("1994-11-06T08:49:37.000Z");
        assertThat(S3Dates.http(SUNDAY.toEpochMilli() + 999))
                .isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "1994-11-06T08:49:37Z",
                "1994-11-06T08:49:37.000Z",
                "1994-11-06T09:49:37+01:00"
            })
    void allUsualFormsAreRead(String text) {
        assertThat(S3Dates.parse(text)).contains(SUNDAY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "now", "Sun, 06 Nov", "1994"})
    void theRestIsNoDate(String text) {
        assertThat(S3Dates.parse(text)).isEmpty();
    }
}
