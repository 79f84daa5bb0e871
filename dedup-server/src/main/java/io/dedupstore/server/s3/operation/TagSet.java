package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Tags in the order they were given. */
record TagSet(Map<String, String> tags) {
    private static final int MAX_OF_BUCKET = 50;
    private static final int MAX_OF_OBJECT = 10;
    private static final String HEADER = "x-amz-tagging";
    private static final int MAX_KEY_CHARS = 128;
    private static final int MAX_VALUE_CHARS = 256;
    private static final String OF_THE_SYSTEM = "aws:";
    private static final Pattern TEXT = Pattern.compile("[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*");

    /**
     * @throws S3Exception MalformedXML, InvalidTag, BadRequest when there are too many
     */
    static TagSet ofBucket(byte[] document) {
        return checked(read(document), MAX_OF_BUCKET, "Bucket tag");
    }

    /** As {@link #ofBucket}. */
    static TagSet ofObject(byte[] document) {
        return checked(read(document), MAX_OF_OBJECT, "Object tags");
    }

    /**
     * Tags that a request gives the object it makes; none where it says nothing of them.
     *
     * @throws S3Exception InvalidArgument, InvalidTag, BadRequest when there are too many
     */
    static TagSet ofHeader(S3Request request) {
        Map<String, String> tags = new LinkedHashMap<>();
        for (String pair : request.nonEmptyHeader(HEADER).orElse("").split("&")) {
            if (!pair.isEmpty()) {
                int mark = pair.indexOf('=');
                String key = decoded(mark < 0 ? pair : pair.substring(0, mark));
                String value = mark < 0 ? "" : decoded(pair.substring(mark + 1));
                if (tags.put(key, value) != null) {
                    throw malformedHeader();
                }
            }
        }
        return checked(tags, MAX_OF_OBJECT, "Object tags");
    }

    private static Map<String, String> read(byte[] document) {
        XmlElement set =
                XmlReader.parse(document, "Tagging")
                        .child("TagSet")
                        .orElseThrow(() -> new S3Exception(S3Error.MALFORMED_XML));
        Map<String, String> tags = new LinkedHashMap<>();
        for (XmlElement tag : set.children("Tag")) {
            String key = tag.requiredText("Key");
            if (tags.put(key, tag.requiredText("Value")) != null) {
                throw invalid("Cannot provide multiple Tags with the same key", key);
            }
        }
        return tags;
    }

    private static TagSet checked(Map<String, String> tags, int most, String what) {
        if (tags.size() > most) {
            throw new S3Exception(
                    S3Error.BAD_REQUEST, what + " count cannot be greater than " + most);
        }
        tags.forEach(TagSet::check);
        return new TagSet(tags);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformedHeader();
        }
    }

    private static S3Exception malformedHeader() {
        return new S3Exception(
                        S3Error.INVALID_ARGUMENT,
                        "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL"
                                + " query parameters without tag name duplicates.")
                .with("ArgumentName", HEADER);
    }

    SortedMap<String, String> byKey() {
        return new TreeMap<>(tags);
    }

    private static void check(String key, String value) {
        if (key.isEmpty() || key.length() > MAX_KEY_CHARS || !TEXT.matcher(key).matches()) {
            throw invalid("The TagKey you have provided is invalid", key);
        }
        if (key.startsWith(OF_THE_SYSTEM)) {
            throw invalid("System tags cannot be added/updated by requester", key);
        }
        if (value.length() > MAX_VALUE_CHARS || !TEXT.matcher(value).matches()) {
            throw new S3Exception(S3Error.INVALID_TAG, "The TagValue you have provided is invalid")
                    .with("TagKey", key)
                    .with("TagValue", value);
        }
    }

    private static S3Exception invalid(String message, String key) {
        return new S3Exception(S3Error.INVALID_TAG, message).with("TagKey", key);
    }

    /** As it is answered and kept. */
    byte[] document() {
        XmlWriter xml = XmlWriter.s3("Tagging").open("TagSet");
        tags.forEach((key, value) -> xml.open("Tag").text("Key", key).text("Value", value).close());
        return xml.toBytes();
    }
}
