package io.dedupstore.client.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads what people write for numbers of bytes and for shares. */
final class Sizes {
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,15})([kmgtp]?)(i?b)?");
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,9})?)(%?)");
    private static final String UNITS = "kmgtp";

    private Sizes() {}

    /** {@code 100GiB}, {@code 100g}, {@code 4096}; units are powers of 1,024. */
    static final class Bytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            Matcher matcher = BYTES.matcher(text.strip().toLowerCase(Locale.ROOT));
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "'" + text + "' is no number of bytes; write 500MiB or 100GiB");
            }
            int unit = matcher.group(2).isEmpty() ? -1 : UNITS.indexOf(matcher.group(2));
            try {
                return Math.multiplyExact(
                        Long.parseLong(matcher.group(1)), 1L << (10 * (unit + 1)));
            } catch (ArithmeticException e) {
                throw new TypeConversionException("'" + text + "' is too large");
            }
        }
    }

    /** {@code 10%} or {@code 0.1}. */
    static final class Share implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            Matcher matcher = SHARE.matcher(text.strip());
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is no share; write 10% or 0.1");
            }
            double number = Double.parseDouble(matcher.group(1));
            return matcher.group(2).isEmpty() ? number : number / 100;
        }
    }
}
