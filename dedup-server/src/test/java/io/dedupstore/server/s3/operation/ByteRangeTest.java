package io.dedupstore.server.s3.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=0-9, 0, 10",
        "bytes=5-, 5, 5",
        "bytes=5-100, 5, 5",
        "bytes=-3, 7, 3",
        "bytes=-100, 0, 10",
        "bytes = 1 - 2, 1, 2",
        "bytes=9-99999999999999999999, 9, 1",
    })
    void rangesAreCutToTheObject(String header, long offset, long length) {
        assertThat(ByteRange.of(header, 10)).contains(new ByteRange(offset, length));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=",
                "bytes=-",
                "bytes=3-2",
                "bytes=a-b",
                "bytes=0-1,3-4",
                "items=0-1",
                "0-1",
                ""
            })
    void whatIsNoSingleRangeIsIgnored(String header) {
        assertThat(ByteRange.of(header, 10)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=10-, 10",
        "bytes=99999999999999999999-, 10",
        "bytes=-0, 10",
        "bytes=0-, 0",
        "bytes=-1, 0"
    })
    void rangesWithoutABytesAreNotSatisfiable(String header, long size) {
        assertThatThrownBy(() -> ByteRange.of(header, size))
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        e -> {
                            assertThat(e.error()).isEqualTo(S3Error.INVALID_RANGE);
                            assertThat(e.headers())
                                    .containsEntry("Content-Range", "bytes */" + size);
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bytes=0-10", "bytes=0-", "bytes=-3", "bytes=3-2", "0-1", "bytes=0-1,2-3"})
    void copyRangesMustBeWholeAndInside(String header) {
        assertThatThrownBy(() -> ByteRange.ofCopySource(header, 10))
                .isInstanceOf(S3Exception.class);
    }
}
