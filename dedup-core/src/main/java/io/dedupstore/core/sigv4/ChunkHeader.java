package io.dedupstore.core.sigv4;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line before a chunk's data: its size and, in signed framings, its signature. */
record ChunkHeader(long size, String signature) {
    static final int MAX_LINE_BYTES = 256;

    private static final Pattern SIGNED =
            Pattern.compile("([0-9a-fA-F]{1,16});chunk-signature=([0-9a-f]{64})\r");
    private static final Pattern UNSIGNED = Pattern.compile("([0-9a-fA-F]{1,16})\r");
    private static final int MAX_SIGNIFICANT_DIGITS = 15;

    static ChunkHeader parse(String line, boolean signed) {
        Matcher matcher = (signed ? SIGNED : UNSIGNED).matcher(line);
        if (!matcher.matches()) {
            throw FramedInput.malformed(
                    signed
                            ? "a chunk header is not \"SIZE;chunk-signature=SIGNATURE\""
                            : "a chunk header is not a size");
        }
        String digits = matcher.group(1).replaceFirst("^0+(?=.)", "");
        if (digits.length() > MAX_SIGNIFICANT_DIGITS) {
            throw FramedInput.malformed("a chunk's size is out of range");
        }
        return new ChunkHeader(Long.parseLong(digits, 16), signed ? matcher.group(2) : "");
    }
}
