package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.ResponseHeaders;
import java.io.IOException;

/** Answers a request with an error. */
final class ErrorDocument {
    private ErrorDocument() {}

    static void send(HttpExchange exchange, S3Exception error, RequestIds ids) throws IOException {
        ResponseHeaders headers = S3Request.ids(ids);
        error.headers().forEach(headers::set);
        int status = error.error().status();
        if (status == S3Error.NOT_MODIFIED.status()) {
            exchange.respond(status, headers, new byte[0]);
            return;
        }
        headers.set("Content-Type", XmlWriter.CONTENT_TYPE);
        exchange.respond(status, headers, document(error, ids, resource(exchange)));
    }

    static byte[] document(S3Exception error, RequestIds ids, String resource) {
        XmlWriter xml =
                XmlWriter.plain("Error")
                        .text("Code", error.error().code())
                        .text("Message", String.valueOf(error.getMessage()));
        error.fields().forEach(xml::text);
        return xml.text("Resource", resource)
                .text("RequestId", ids.requestId())
                .text("HostId", ids.hostId())
                .toBytes();
    }

    private static String resource(HttpExchange exchange) {
        String target = exchange.rawTarget();
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        try {
            return UriText.decode(path);
        } catch (IllegalArgumentException e) {
            return path;
        }
    }
}
