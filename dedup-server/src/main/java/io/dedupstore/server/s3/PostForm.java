package io.dedupstore.server.s3;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a browser's form that come before its file. What comes behind the file is not
 * looked at.
 *
 * @param fields by name in lower case; of a repeated name the first
 * @param fileName what the browser says the file is called, without directories
 */
record PostForm(Map<String, String> fields, String fileName) {
    /** All before the file: names, values and what surrounds them. */
    static final int MAX_FIELD_BYTES = 20 << 10;

    private static final String FILE = "file";
    private static final String FILE_NAME = "${filename}";
    private static final int MAX_BOUNDARY_CHARS = 200;

    PostForm {
        fields = Map.copyOf(fields);
    }

    /**
     * Reads up to the first byte of the file, which is the reader's to give.
     *
     * @throws S3Exception MalformedPOSTRequest, MaxPostPreDataLengthExceeded, InvalidArgument when
     *     there is no file
     */
    static PostForm read(MultipartReader reader) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        while (true) {
            Map<String, String> headers = reader.nextPart(MAX_FIELD_BYTES);
            if (headers == null) {
                throw S3Exception.invalidArgument(
                        "POST requires exactly one file upload per request.", FILE, "0");
            }
            requireBounded(reader.consumed());
            Map<String, String> disposition = disposition(headers);
            String name = disposition.getOrDefault("name", "").toLowerCase(Locale.ROOT);
            if (name.isEmpty()) {
                throw MultipartReader.malformed();
            }
            if (name.equals(FILE)) {
                return of(fields, disposition.getOrDefault("filename", ""));
            }
            fields.putIfAbsent(name, value(reader));
        }
    }

    private static PostForm of(Map<String, String> fields, String path) {
        String fileName =
                path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        Map<String, String> expanded = new LinkedHashMap<>();
        fields.forEach((name, value) -> expanded.put(name, expand(name, value, fileName)));
        return new PostForm(expanded, fileName);
    }

    /** A policy is signed as it was written. */
    private static String expand(String name, String value, String fileName) {
        return name.equals("policy") ? value : value.replace(FILE_NAME, fileName);
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /**
     * @param label the field's name as errors have it
     * @throws S3Exception InvalidArgument
     */
    String require(String name, String label) {
        return find(name).orElseThrow(() -> missing(label));
    }

    static S3Exception missing(String label) {
        return S3Exception.invalidArgument(
                "Bucket POST must contain a field named '"
                        + label
                        + "'.  If it is specified, please check the order of the fields.",
                label,
                "");
    }

    /**
     * The boundary that a Content-Type names.
     *
     * @throws S3Exception PreconditionFailed when it is no form, MalformedPOSTRequest
     */
    static String boundary(Optional<String> contentType) {
        String type = contentType.orElse("");
        int end = type.indexOf(';');
        String media = (end < 0 ? type : type.substring(0, end)).strip();
        if (!media.equalsIgnoreCase("multipart/form-data")) {
            throw S3Exception.preconditionFailed(
                    "Bucket POST must be of the enclosure-type multipart/form-data");
        }
        String boundary =
                end < 0 ? "" : parameters(type.substring(end)).getOrDefault("boundary", "");
        if (boundary.isEmpty() || boundary.length() > MAX_BOUNDARY_CHARS) {
            throw MultipartReader.malformed();
        }
        return boundary;
    }

    private static String value(MultipartReader reader) throws IOException {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(1 << 10);
        while (reader.read(piece.clear()) >= 0) {
            value.write(piece.array(), 0, piece.position());
            requireBounded(reader.consumed());
        }
        try {
            return UriText.strictUtf8(value.toByteArray());
        } catch (IllegalArgumentException e) {
            throw MultipartReader.malformed();
        }
    }

    private static void requireBounded(long bytes) {
        if (bytes > MAX_FIELD_BYTES) {
            throw new S3Exception(S3Error.MAX_POST_PRE_DATA_LENGTH_EXCEEDED);
        }
    }

    private static Map<String, String> disposition(Map<String, String> headers) {
        String text = headers.getOrDefault("content-disposition", "");
        int end = text.indexOf(';');
        if (end < 0 || !text.substring(0, end).strip().equalsIgnoreCase("form-data")) {
            throw MultipartReader.malformed();
        }
        return parameters(text.substring(end));
    }

    /**
     * Values are bare or in quotes. A backslash escapes a quote only: old browsers send whole
     * paths.
     *
     * @param text begins with the semicolon before the first one
     */
    private static Map<String, String> parameters(String text) {
        Map<String, String> parameters = new LinkedHashMap<>();
        int at = 0;
        while (at < text.length() && text.charAt(at) == ';') {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                break;
            }
            String name = text.substring(at + 1, equals).strip().toLowerCase(Locale.ROOT);
            int start = equals + 1;
            StringBuilder value = new StringBuilder();
            if (start < text.length() && text.charAt(start) == '"') {
                at = quoted(text, start + 1, value);
            } else {
                int end = text.indexOf(';', start);
                at = end < 0 ? text.length() : end;
                value.append(text.substring(start, at).strip());
            }
            parameters.putIfAbsent(name, value.toString());
        }
        return parameters;
    }

    /**
     * @return where the next semicolon is
     */
    private static int quoted(String text, int start, StringBuilder value) {
        int at = start;
        while (at < text.length() && text.charAt(at) != '"') {
            boolean escape =
                    text.charAt(at) == '\\' && at + 1 < text.length() && text.charAt(at + 1) == '"';
            value.append(text.charAt(escape ? at + 1 : at));
            at += escape ? 2 : 1;
        }
        int semicolon = text.indexOf(';', Math.min(at, text.length()));
        return semicolon < 0 ? text.length() : semicolon;
    }
}
