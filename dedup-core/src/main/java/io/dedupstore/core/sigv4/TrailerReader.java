package io.dedupstore.core.sigv4;

import io.dedupstore.core.sigv4.SigV4Exception.Reason;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the fields after the last chunk. Lines end with CRLF or LF, and some signers put an empty
 * line between the fields and their signature; what is signed has LF whatever the wire had.
 */
final class TrailerReader {
    private static final int MAX_LINE_BYTES = 1024;
    private static final int MAX_FIELDS = 16;
    private static final String SIGNATURE = "x-amz-trailer-signature";

    /** Fields in arrival order, without the signature. */
    record Trailers(Map<String, String> fields, Optional<String> signature) {
        String canonical() {
            StringBuilder text = new StringBuilder();
            fields.forEach(
                    (name, value) -> text.append(name).append(':').append(value).append('\n'));
            return text.toString();
        }
    }

    private final FramedInput in;
    private final boolean signed;

    TrailerReader(FramedInput in, boolean signed) {
        this.in = in;
        this.signed = signed;
    }

    Trailers read(Set<String> declared) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        Optional<String> signature = Optional.empty();
        for (String line = line(); !ends(line, fields, signature); line = line()) {
            if (line.isEmpty()) {
                continue;
            }
            if (fields.size() == MAX_FIELDS || signature.isPresent()) {
                throw malformed();
            }
            String name = name(line);
            String value = line.substring(name.length() + 1).strip();
            if (name.equals(SIGNATURE) && signed) {
                signature = Optional.of(value);
            } else if (fields.put(name, value) != null) {
                throw malformed();
            }
        }
        if (!fields.keySet().equals(declared) || signed != signature.isPresent()) {
            throw malformed();
        }
        return new Trailers(fields, signature);
    }

    /**
     * In signed framings the signature is the last field, so an empty line before it ends nothing.
     */
    private boolean ends(String line, Map<String, String> fields, Optional<String> signature) {
        return line.isEmpty() && (!signed || fields.isEmpty() || signature.isPresent());
    }

    private String line() throws IOException {
        String line = in.line(MAX_LINE_BYTES);
        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    }

    private static String name(String line) {
        int colon = line.indexOf(':');
        if (colon <= 0) {
            throw malformed();
        }
        return line.substring(0, colon).toLowerCase(Locale.ROOT);
    }

    private static SigV4Exception malformed() {
        return new SigV4Exception(
                Reason.MALFORMED_TRAILER,
                "The request contained trailing data that was not well-formed or did not conform"
                        + " to our published schema.");
    }
}
