package io.dedupstore.server.s3;

import java.util.List;
import java.util.Optional;

/**
 * An element of a request document, namespaces dropped.
 *
 * @param text character data directly inside, untrimmed
 */
public record XmlElement(String name, List<XmlElement> children, String text) {
    public XmlElement {
        children = List.copyOf(children);
    }

    public List<XmlElement> children(String childName) {
        return children.stream().filter(child -> child.name().equals(childName)).toList();
    }

    /**
     * The only child of that name.
     *
     * @throws S3Exception MalformedXML when there are several
     */
    public Optional<XmlElement> child(String childName) {
        List<XmlElement> found = children(childName);
        if (found.size() > 1) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return found.stream().findFirst();
    }

    public Optional<String> childText(String childName) {
        return child(childName).map(XmlElement::text);
    }

    /**
     * @throws S3Exception MalformedXML when there is none
     */
    public String requiredText(String childName) {
        return childText(childName).orElseThrow(() -> new S3Exception(S3Error.MALFORMED_XML));
    }
}
