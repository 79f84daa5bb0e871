package io.dedupstore.core.metadata;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.util.Arrays;

/** One byte of format version before a protobuf message. */
final class Format {
    private Format() {}

    static byte[] prefix(byte version, MessageLite message) {
        byte[] bytes = new byte[1 + message.getSerializedSize()];
        bytes[0] = version;
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, 1, bytes.length - 1);
        try {
            message.writeTo(out);
        } catch (IOException e) {
            throw new IllegalStateException("an array refused bytes", e);
        }
        out.checkNoSpaceLeft();
        return bytes;
    }

    static <T> T parse(String what, byte version, Parser<T> parser, byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != version) {
            throw new IllegalStateException(
                    what
                            + " in format "
                            + Arrays.toString(Arrays.copyOf(bytes, Math.min(1, bytes.length)))
                            + ", this release reads "
                            + version);
        }
        try {
            return parser.parseFrom(CodedInputStream.newInstance(bytes, 1, bytes.length - 1));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(what + " is damaged", e);
        }
    }
}
