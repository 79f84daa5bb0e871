package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Bucket;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.S3Operation;
import io.dedupstore.server.s3.S3Request;
import io.dedupstore.server.s3.UriText;
import io.dedupstore.server.s3.XmlWriter;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** A browser's upload: the same as a PUT but for how it is answered. */
final class PostObject {
    private static final int NO_CONTENT = 204;
    private final PutObject put;

    PostObject(PutObject put) {
        this.put = put;
    }

    void handle(S3Request request, Bucket bucket, S3Operation.PostObject operation)
            throws IOException {
        PutObject.Stored stored = put.store(request, bucket, operation.key());
        ResponseHeaders headers = stored.headers();
        String location = request.location().replaceAll("/+$", "");
        String address = location + "/" + UriText.encode(operation.key());
        Optional<String> redirect = operation.redirect().filter(PostObject::isAddress);
        if (redirect.isPresent()) {
            String query =
                    "bucket=%s&key=%s&etag=%s"
                            .formatted(
                                    encoded(bucket.name()),
                                    encoded(operation.key()),
                                    encoded(Etags.quoted(stored.etag())));
            String joint = redirect.get().indexOf('?') < 0 ? "?" : "&";
            headers.set("Location", redirect.get() + joint + query);
            request.respond(303, headers);
            return;
        }
        headers.set("Location", address);
        int status = operation.status().map(PostObject::status).orElse(NO_CONTENT);
        if (status == 201) {
            XmlWriter xml =
                    XmlWriter.plain("PostResponse")
                            .text("Location", address)
                            .text("Bucket", bucket.name())
                            .text("Key", operation.key())
                            .text("ETag", Etags.quoted(stored.etag()));
            request.respond(status, headers, xml);
        } else {
            request.respond(status, headers);
        }
    }

    /** What is no status that may be asked for is none. */
    private static int status(String text) {
        return switch (text.strip()) {
            case "200" -> 200;
            case "201" -> 201;
            default -> NO_CONTENT;
        };
    }

    private static String encoded(String text) {
        return UriText.encode(text).replace("/", "%2F");
    }

    private static boolean isAddress(String text) {
        try {
            String scheme = new URI(text).getScheme();
            return "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
