package io.dedupstore.client.s3;

import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The two documents that a reader meets. Namespaces are not looked at; no entities, no DTD. */
final class S3Xml {
    private static final XMLInputFactory FACTORY = factory();

    private S3Xml() {}

    /** What an error document says. */
    record Refusal(String code, String message, String region) {}

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        return factory;
    }

    /**
     * @throws XMLStreamException it is not a ListBucketResult
     */
    static S3Page page(InputStream in) throws XMLStreamException {
        XMLStreamReader xml = open(in, "ListBucketResult");
        List<Map<String, String>> contents = new ArrayList<>();
        Map<String, String> page = new HashMap<>();
        while (nextChild(xml)) {
            if (xml.getLocalName().equals("Contents")) {
                contents.add(fields(xml));
            } else if (xml.getLocalName().equals("CommonPrefixes")) {
                fields(xml);
            } else {
                page.put(xml.getLocalName(), text(xml));
            }
        }
        boolean encoded = "url".equals(page.get("EncodingType"));
        List<S3Object> objects = new ArrayList<>(contents.size());
        for (Map<String, String> fields : contents) {
            objects.add(object(fields, encoded));
        }
        boolean more = "true".equals(page.get("IsTruncated"));
        String next = page.get("NextContinuationToken");
        if (more && next == null) {
            throw new XMLStreamException("a truncated listing has no NextContinuationToken");
        }
        return new S3Page(objects, more ? next : null);
    }

    /** Empty when the document is something else. */
    static Optional<Refusal> refusal(InputStream in) {
        try {
            XMLStreamReader xml = open(in, "Error");
            Map<String, String> fields = fields(xml);
            return Optional.ofNullable(fields.get("Code"))
                    .map(
                            code ->
                                    new Refusal(
                                            code,
                                            fields.getOrDefault("Message", ""),
                                            fields.getOrDefault("Region", "")));
        } catch (XMLStreamException e) {
            return Optional.empty();
        }
    }

    private static S3Object object(Map<String, String> fields, boolean encoded)
            throws XMLStreamException {
        String key = fields.getOrDefault("Key", "");
        try {
            return new S3Object(
                    encoded ? URLDecoder.decode(key, StandardCharsets.UTF_8) : key,
                    Long.parseLong(fields.getOrDefault("Size", "").strip()),
                    fields.getOrDefault("ETag", ""));
        } catch (IllegalArgumentException e) {
            throw new XMLStreamException("a listed object means nothing: " + fields, e);
        }
    }

    private static XMLStreamReader open(InputStream in, String root) throws XMLStreamException {
        XMLStreamReader xml = FACTORY.createXMLStreamReader(in);
        xml.nextTag();
        if (!xml.getLocalName().equals(root)) {
            throw new XMLStreamException("the document is a " + xml.getLocalName());
        }
        return xml;
    }

    /** Texts of an element's children; deeper ones are passed over. */
    private static Map<String, String> fields(XMLStreamReader xml) throws XMLStreamException {
        Map<String, String> fields = new HashMap<>();
        while (nextChild(xml)) {
            fields.putIfAbsent(xml.getLocalName(), text(xml));
        }
        return fields;
    }

    private static boolean nextChild(XMLStreamReader xml) throws XMLStreamException {
        while (true) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT:
                    return true;
                case XMLStreamConstants.END_ELEMENT, XMLStreamConstants.END_DOCUMENT:
                    return false;
                default:
                    break;
            }
        }
    }

    private static String text(XMLStreamReader xml) throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        int depth = 1;
        while (depth > 0) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> depth++;
                case XMLStreamConstants.END_ELEMENT -> depth--;
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (depth == 1) {
                        text.append(xml.getText());
                    }
                }
                default -> {}
            }
        }
        return text.toString();
    }
}
