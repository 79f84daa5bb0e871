package io.dedupstore.server.s3;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes one XML document. Characters that XML 1.0 can't carry are written as character references
 * all the same, as S3 does; clients that may have such keys ask for {@code encoding-type=url}.
 */
public final class XmlWriter {
    public static final String S3_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";
    public static final String CONTENT_TYPE = "application/xml";

    private final StringBuilder out = new StringBuilder(512);
    private final Deque<String> open = new ArrayDeque<>();

    private XmlWriter(String root, String attributes) {
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        open(root, attributes);
    }

    /** A document whose root is in the S3 namespace. */
    public static XmlWriter s3(String root) {
        return new XmlWriter(root, " xmlns=\"" + S3_NAMESPACE + "\"");
    }

    /** A document without a namespace. */
    public static XmlWriter plain(String root) {
        return new XmlWriter(root, "");
    }

    public XmlWriter open(String name) {
        return open(name, "");
    }

    /**
     * @param attributes as they stand in the tag, with a leading space
     */
    public XmlWriter open(String name, String attributes) {
        out.append('<').append(name).append(attributes).append('>');
        open.push(name);
        return this;
    }

    public XmlWriter close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    public XmlWriter text(String name, String text) {
        out.append('<').append(name).append('>');
        escape(text);
        out.append("</").append(name).append('>');
        return this;
    }

    public XmlWriter text(String name, long number) {
        return text(name, Long.toString(number));
    }

    public XmlWriter text(String name, boolean value) {
        return text(name, Boolean.toString(value));
    }

    /** Text of the element that is open. */
    public XmlWriter content(String text) {
        escape(text);
        return this;
    }

    /** Closes what is open and returns the document in UTF-8. */
    public byte[] toBytes() {
        while (!open.isEmpty()) {
            close();
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> {
                    if (c < 0x20 || c == 0x7f || c >= 0xfffe) {
                        out.append("&#x").append(Integer.toHexString(c)).append(';');
                    } else {
                        out.append(c);
                    }
                }
            }
        }
    }
}
