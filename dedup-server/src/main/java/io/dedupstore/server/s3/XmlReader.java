package io.dedupstore.server.s3;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.MissingResourceException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads small request documents: no document type, no entities but the five of XML, bounded depth
 * and number of elements. Whatever is wrong is {@code MalformedXML}.
 */
public final class XmlReader {
    static final int MAX_DEPTH = 16;
    static final int MAX_ELEMENTS = 120_000;

    private XmlReader() {}

    /** The root element, which must have this name. */
    public static XmlElement parse(byte[] document, String rootName) {
        XmlElement root = parse(document);
        if (!root.name().equals(rootName)) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return root;
    }

    static XmlElement parse(byte[] document) {
        try {
            XMLStreamReader reader =
                    newFactory().createXMLStreamReader(new ByteArrayInputStream(document));
            try {
                return read(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException | MissingResourceException e) {
            // The Java runtime lacks the text of some of its own messages.
            throw new S3Exception(S3Error.MALFORMED_XML, S3Error.MALFORMED_XML.message(), e);
        }
    }

    private static XmlElement read(XMLStreamReader reader) throws XMLStreamException {
        Deque<Open> open = new ArrayDeque<>();
        open.push(new Open(""));
        int elements = 0;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++elements > MAX_ELEMENTS || open.size() > MAX_DEPTH) {
                        throw new S3Exception(S3Error.MALFORMED_XML);
                    }
                    open.push(new Open(reader.getLocalName()));
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    XmlElement closed = open.pop().close();
                    open.element().children.add(closed);
                }
                case XMLStreamConstants.CHARACTERS,
                        XMLStreamConstants.CDATA,
                        XMLStreamConstants.SPACE ->
                        open.element().text.append(reader.getText());
                case XMLStreamConstants.COMMENT,
                        XMLStreamConstants.PROCESSING_INSTRUCTION,
                        XMLStreamConstants.END_DOCUMENT -> {}
                default -> throw new S3Exception(S3Error.MALFORMED_XML);
            }
        }
        return open.element().children.getFirst();
    }

    private static XMLInputFactory newFactory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLResolver(
                (publicId, systemId, baseUri, namespace) -> {
                    throw new XMLStreamException("external entities are not read");
                });
        return factory;
    }

    /** An element whose end has not come yet. */
    private static final class Open {
        private final String name;
        private final List<XmlElement> children = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();

        Open(String name) {
            this.name = name;
        }

        XmlElement close() {
            return new XmlElement(name, children, text.toString());
        }
    }
}
