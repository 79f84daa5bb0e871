package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of an object's bytes.
 *
 * @param length 0 only for all of an empty object
 */
record ByteRange(long offset, long length) {
    private static final Pattern HEADER =
            Pattern.compile("bytes\\s*=\\s*([0-9]*)\\s*-\\s*([0-9]*)\\s*");
    private static final Pattern COPY_RANGE = Pattern.compile("bytes=([0-9]+)-([0-9]+)");

    /**
     * What a Range header asks for. Several ranges, and what is no range, are ignored: the whole
     * object is the answer.
     *
     * @throws S3Exception InvalidRange when the object has none of the bytes
     */
    static Optional<ByteRange> of(String header, long size) {
        Matcher matcher = HEADER.matcher(header.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String first = matcher.group(1);
        String last = matcher.group(2);
        if (first.isEmpty() && last.isEmpty()) {
            return Optional.empty();
        }
        if (first.isEmpty()) {
            long suffix = number(last);
            if (suffix == 0 || size == 0) {
                throw unsatisfiable(header, size);
            }
            long length = Math.min(suffix, size);
            return Optional.of(new ByteRange(size - length, length));
        }
        long from = number(first);
        long to = last.isEmpty() ? Long.MAX_VALUE : number(last);
        if (to < from) {
            return Optional.empty();
        }
        if (from >= size) {
            throw unsatisfiable(header, size);
        }
        return Optional.of(new ByteRange(from, Math.min(to, size - 1) - from + 1));
    }

    /**
     * What {@code x-amz-copy-source-range} asks for; both ends are needed and must exist.
     *
     * @throws S3Exception InvalidArgument
     */
    static ByteRange ofCopySource(String header, long size) {
        Matcher matcher = COPY_RANGE.matcher(header.strip());
        if (!matcher.matches() || number(matcher.group(1)) > number(matcher.group(2))) {
            throw S3Exception.invalidArgument(
                    "The x-amz-copy-source-range value must be of the form bytes=first-last where"
                            + " first and last are the zero-based offsets of the first and last bytes"
                            + " to copy",
                    "x-amz-copy-source-range",
                    header);
        }
        long from = number(matcher.group(1));
        long to = number(matcher.group(2));
        if (to >= size) {
            throw S3Exception.invalidArgument(
                    "Range specified is not valid for source object of size: " + size,
                    "x-amz-copy-source-range",
                    header);
        }
        return new ByteRange(from, to - from + 1);
    }

    /** The value of a Content-Range header. */
    String contentRange(long size) {
        return "bytes " + offset + "-" + (offset + length - 1) + "/" + size;
    }

    private static S3Exception unsatisfiable(String header, long size) {
        return new S3Exception(S3Error.INVALID_RANGE)
                .with("RangeRequested", header)
                .with("ActualObjectSize", Long.toString(size))
                .withHeader("Content-Range", "bytes */" + size);
    }

    /** Saturates: whatever is longer is behind the end of every object. */
    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
