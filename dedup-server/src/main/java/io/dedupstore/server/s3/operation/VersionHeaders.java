package io.dedupstore.server.s3.operation;

import io.dedupstore.core.metadata.ObjectVersion;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.http.ResponseHeaders;
import io.dedupstore.server.s3.QueryParameters;
import io.dedupstore.server.s3.S3Dates;
import io.dedupstore.server.s3.S3Exception;
import io.dedupstore.server.s3.S3Request;
import java.util.Map;
import java.util.Optional;

/** The headers that describe a version in answers to GET and HEAD. */
final class VersionHeaders {
    private static final String DEFAULT_CONTENT_TYPE = "binary/octet-stream";

    private static final Map<String, String> NAMES =
            Map.of(
                    "content-type", "Content-Type",
                    "cache-control", "Cache-Control",
                    "content-disposition", "Content-Disposition",
                    "content-encoding", "Content-Encoding",
                    "content-language", "Content-Language",
                    "expires", "Expires");

    private static final Map<String, String> OVERRIDES =
            Map.of(
                    "response-content-type", "Content-Type",
                    "response-cache-control", "Cache-Control",
                    "response-content-disposition", "Content-Disposition",
                    "response-content-encoding", "Content-Encoding",
                    "response-content-language", "Content-Language",
                    "response-expires", "Expires");

    private VersionHeaders() {}

    static ResponseHeaders of(S3Request request, ObjectVersion version) {
        ResponseHeaders headers =
                request.newHeaders()
                        .add("Last-Modified", S3Dates.http(version.modifiedMillis()))
                        .add("ETag", Etags.quoted(version.etag()))
                        .add("Accept-Ranges", "bytes")
                        .add("Content-Type", DEFAULT_CONTENT_TYPE);
        version.attributes()
                .headers()
                .forEach((name, value) -> headers.set(NAMES.getOrDefault(name, name), value));
        version.attributes()
                .userMetadata()
                .forEach(
                        (name, value) ->
                                headers.add(
                                        Attributes.USER_PREFIX + name, HeaderText.encode(value)));
        int tags = version.attributes().tags().size();
        if (tags > 0) {
            headers.add("x-amz-tagging-count", Integer.toString(tags));
        }
        LockDocuments.addHeaders(headers, version.attributes().lock());
        Encryptions.addHeaders(request, version, headers);
        override(request, headers);
        return headers;
    }

    private static void override(S3Request request, ResponseHeaders headers) {
        QueryParameters query = request.query();
        OVERRIDES.forEach(
                (parameter, header) -> {
                    Optional<String> value = query.nonEmpty(parameter);
                    if (value.isPresent()) {
                        if (request.principal() instanceof Principal.Anonymous) {
                            throw S3Exception.invalidRequest(
                                    "Request specific response headers cannot be used for anonymous"
                                            + " GET requests.");
                        }
                        headers.set(header, HeaderText.raw(value.get()));
                    }
                });
    }
}
