package io.dedupstore.server.s3.operation;

import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.UriText;
import io.dedupstore.server.s3.XmlWriter;
import java.util.Optional;

/** How keys and prefixes stand in a listing. */
enum KeyEncoding {
    PLAIN {
        @Override
        String apply(String text) {
            return text;
        }

        @Override
        void write(XmlWriter xml) {}
    },
    URL {
        @Override
        String apply(String text) {
            return UriText.encode(text);
        }

        @Override
        void write(XmlWriter xml) {
            xml.text("EncodingType", "url");
        }
    };

    static KeyEncoding of(S3Request request) {
        Optional<String> type = request.query().nonEmpty("encoding-type");
        if (type.isEmpty()) {
            return PLAIN;
        }
        if (type.get().equals("url")) {
            return URL;
        }
        throw S3Exception.invalidArgument(
                "Invalid Encoding Method specified in Request", "encoding-type", type.get());
    }

    abstract String apply(String text);

    /** Says which it is. */
    abstract void write(XmlWriter xml);
}
