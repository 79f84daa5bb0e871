package io.dedupstore.server.s3;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.server.http.RequestHeaders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What clients write into requests: each of these either reads it or refuses it. */
public final class S3Fuzz {
    private S3Fuzz() {}

    /**
     * Targets by name; for Jazzer each is a class of its own, since it wants one method of each.
     */
    public static Map<String, Consumer<byte[]>> targets() {
        return Map.of(
                "target", Target::fuzzerTestOneInput,
                "xml", Xml::fuzzerTestOneInput,
                "policy", Policy::fuzzerTestOneInput,
                "form", Form::fuzzerTestOneInput);
    }

    public static final class Target {
        private static final S3RequestParser PARSER =
                new S3RequestParser(List.of("s3.example.com"));

        private Target() {}

        /** Method, target and host, a line each. */
        public static void fuzzerTestOneInput(byte[] input) {
            String[] lines = new String(input, StandardCharsets.ISO_8859_1).split("\n", 3);
            if (lines.length < 3) {
                return;
            }
            try {
                PARSER.parse(
                        lines[0],
                        lines[1],
                        RequestHeaders.of(List.of(Map.entry("host", lines[2]))));
            } catch (S3Exception e) {
                // refused
            }
        }
    }

    public static final class Xml {
        private Xml() {}

        public static void fuzzerTestOneInput(byte[] input) {
            try {
                XmlReader.parse(input);
            } catch (S3Exception e) {
                // refused
            }
            try {
                CorsRules.parse(input);
            } catch (S3Exception e) {
                // refused
            }
        }
    }

    public static final class Policy {
        private static final Map<String, String> FIELDS =
                Map.of(
                        "bucket",
                        "b",
                        "key",
                        "k",
                        "content-type",
                        "text/a,text/b",
                        "x-amz-meta-a",
                        "1");

        private Policy() {}

        /** As JSON, and as the Base64 of a form. */
        public static void fuzzerTestOneInput(byte[] input) {
            String base64 = Base64.getEncoder().encodeToString(input);
            for (String text : new String[] {base64, new String(input, StandardCharsets.UTF_8)}) {
                try {
                    PostPolicy policy = PostPolicy.parse(text);
                    policy.check(FIELDS, Instant.EPOCH);
                } catch (S3Exception e) {
                    // refused
                }
            }
        }
    }

    public static final class Form {
        private Form() {}

        public static void fuzzerTestOneInput(byte[] input) {
            ByteBuffer rest = ByteBuffer.wrap(input);
            ByteSource source =
                    target -> {
                        if (!rest.hasRemaining()) {
                            return -1;
                        }
                        int count = Math.min(Math.min(target.remaining(), rest.remaining()), 97);
                        target.put(rest.slice(rest.position(), count));
                        rest.position(rest.position() + count);
                        return count;
                    };
            MultipartReader reader = new MultipartReader(source, "b");
            try {
                PostForm.read(reader);
                FormBody file = new FormBody(reader, 0, 1 << 20);
                ByteBuffer sink = ByteBuffer.allocate(1000);
                while (file.read(sink.clear()) >= 0) {
                    continue;
                }
            } catch (S3Exception e) {
                // refused
            } catch (IOException e) {
                throw new IllegalStateException("nothing was read from a connection", e);
            }
        }
    }
}
