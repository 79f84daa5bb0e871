package io.dedupstore.server.iam;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Writes one answer. */
final class QueryXml {
    private final StringBuilder out = new StringBuilder(512);
    private final Deque<String> open = new ArrayDeque<>();

    QueryXml(String root, String namespace) {
        out.append('<').append(root).append(" xmlns=\"").append(namespace).append("\">");
        open.push(root);
    }

    QueryXml open(String name) {
        out.append('<').append(name).append('>');
        open.push(name);
        return this;
    }

    QueryXml close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    QueryXml text(String name, String text) {
        out.append('<').append(name).append('>');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> out.append(c < 0x20 || c >= 0xfffe ? '?' : c);
            }
        }
        out.append("</").append(name).append('>');
        return this;
    }

    byte[] toBytes() {
        while (!open.isEmpty()) {
            close();
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
