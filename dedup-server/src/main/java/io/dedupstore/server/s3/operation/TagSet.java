package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Error;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.XmlElement;
import io.dedupstore.server.s3.XmlReader;
import io.dedupstore.server.s3.XmlWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tags in the order they were given. */
record TagSet(Map<String, String> tags) {
    private static final int MAX_OF_BUCKET = 50;
    private static final int MAX_KEY_CHARS = 128;
    private static final int MAX_VALUE_CHARS = 256;
    private static final String OF_THE_SYSTEM = "aws:";
    private static final Pattern TEXT = Pattern.compile("[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*");

    /**
     * @throws S3Exception MalformedXML, InvalidTag, BadRequest when there are too many
     */
    static TagSet ofBucket(byte[] document) {
        XmlElement set =
                XmlReader.parse(document, "Tagging")
                        .child("TagSet")
                        .orElseThrow(() -> new S3Exception(S3Error.MALFORMED_XML));
        List<XmlElement> elements = set.children("Tag");
        Map<String, String> tags = new LinkedHashMap<>();
        for (XmlElement tag : elements) {
            String key = tag.requiredText("Key");
            Optional<String> before = Optional.ofNullable(tags.put(key, tag.requiredText("Value")));
            if (before.isPresent()) {
                throw invalid("Cannot provide multiple Tags with the same key", key);
            }
        }
        if (tags.size() > MAX_OF_BUCKET) {
            throw new S3Exception(
                    S3Error.BAD_REQUEST,
                    "Bucket tag count cannot be greater than " + MAX_OF_BUCKET);
        }
        tags.forEach(TagSet::check);
        return new TagSet(tags);
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
