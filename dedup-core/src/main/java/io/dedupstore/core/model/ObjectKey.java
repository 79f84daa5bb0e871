package io.dedupstore.core.model;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An object's key: 1 to 1024 bytes of well-formed UTF-8, never normalised. Orders by unsigned UTF-8
 * bytes, which is not the order of {@link String#compareTo}.
 */
public final class ObjectKey implements Comparable<ObjectKey> {
    public static final int MAX_BYTES = 1024;

    private final String text;
    private final byte[] utf8;

    private ObjectKey(String text, byte[] utf8) {
        if (utf8.length == 0 || utf8.length > MAX_BYTES) {
            throw new IllegalArgumentException("a key has 1 to 1024 bytes, not " + utf8.length);
        }
        this.text = text;
        this.utf8 = utf8;
    }

    /**
     * @throws IllegalArgumentException empty, too long, or not encodable (a lone surrogate)
     */
    public static ObjectKey of(String text) {
        try {
            ByteBuffer encoded =
                    StandardCharsets.UTF_8
                            .newEncoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .encode(CharBuffer.wrap(text));
            byte[] utf8 = new byte[encoded.remaining()];
            encoded.get(utf8);
            return new ObjectKey(text, utf8);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a key must be well-formed Unicode", e);
        }
    }

    /**
     * @throws IllegalArgumentException empty, too long, or not UTF-8
     */
    public static ObjectKey ofUtf8(byte[] utf8) {
        try {
            String text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(utf8))
                            .toString();
            return new ObjectKey(text, utf8.clone());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a key must be UTF-8", e);
        }
    }

    public String text() {
        return text;
    }

    public byte[] utf8() {
        return utf8.clone();
    }

    @Override
    public int compareTo(ObjectKey o) {
        return Arrays.compareUnsigned(utf8, o.utf8);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ObjectKey k && Arrays.equals(utf8, k.utf8);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }

    @Override
    public String toString() {
        return text;
    }
}
