package io.dedupstore.server.s3;

import io.dedupstore.server.auth.AuthenticatedRequest;
import io.dedupstore.server.auth.BodySource;
import io.dedupstore.server.auth.FormAuthenticator;
import io.dedupstore.server.auth.Principal;
import io.dedupstore.server.auth.Proof;
import io.dedupstore.server.http.HttpExchange;
import io.dedupstore.server.http.RequestHeaders;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes of a browser's form what it is a form of: the upload of an object. The fields before the
 * file say who asks for what under which key; once they are read, and found to be what the policy
 * allows, the request goes the way of all others, with fields as its headers and the file as its
 * body. Nothing but one buffer is held of the file.
 */
public final class PostForms {
    private static final Set<String> HEADERS =
            Set.of(
                    "cache-control",
                    "content-disposition",
                    "content-encoding",
                    "content-language",
                    "content-md5",
                    "content-type",
                    "expires");

    /** What the head of the request keeps saying. */
    private static final Set<String> OF_THE_HEAD =
            Set.of(
                    "forwarded",
                    "host",
                    "origin",
                    "referer",
                    "user-agent",
                    "via",
                    "x-amz-expected-bucket-owner",
                    "x-forwarded-for",
                    "x-forwarded-proto");

    private static final String AMZ_PREFIX = "x-amz-";

    /** Fields of that prefix that are about the form, or about transfers of other kinds. */
    private static final Set<String> NO_HEADERS =
            Set.of(
                    "x-amz-algorithm",
                    "x-amz-content-sha256",
                    "x-amz-credential",
                    "x-amz-date",
                    "x-amz-decoded-content-length",
                    "x-amz-expected-bucket-owner",
                    "x-amz-security-token",
                    "x-amz-signature",
                    "x-amz-trailer",
                    "x-amz-write-offset-bytes");

    private static final String COPY_PREFIX = "x-amz-copy-source";

    private final FormAuthenticator authenticator;
    private final InstantSource clock;

    public PostForms(FormAuthenticator authenticator, InstantSource clock) {
        this.authenticator = authenticator;
        this.clock = clock;
    }

    /** A form as the request it stands for. */
    record Opened(
            HttpExchange exchange,
            AuthenticatedRequest authenticated,
            S3Operation.PostObject operation) {}

    /**
     * Reads the fields.
     *
     * @param head what the request's head proved, which is nothing as a rule
     * @throws S3Exception what is wrong with the form, or its policy does not allow
     * @throws io.dedupstore.core.sigv4.SigV4Exception its signature does not hold
     */
    Opened open(HttpExchange exchange, AuthenticatedRequest head, String bucket)
            throws IOException {
        requireLength(exchange);
        String boundary = PostForm.boundary(exchange.headers().first("content-type"));
        BodySource body = head.openBody(target -> exchange.body().read(target));
        MultipartReader reader = new MultipartReader(body, boundary);
        PostForm form = PostForm.read(reader);
        String key = form.require("key", "key");
        if (key.isEmpty()) {
            throw S3Exception.invalidArgument(
                    "User key must have a length greater than 0.", "key", "");
        }
        Principal principal = principal(head.principal(), form);
        FormBody file = file(form, bucket, reader);
        return new Opened(
                new FormExchange(exchange, headers(exchange.headers(), form)),
                new FormRequest(principal, proof(head, form), file),
                new S3Operation.PostObject(
                        bucket,
                        key,
                        form.find("success_action_redirect").or(() -> form.find("redirect")),
                        form.find("success_action_status")));
    }

    private static Optional<Proof> proof(AuthenticatedRequest head, PostForm form) {
        if (head.proof().isPresent()) {
            return head.proof();
        }
        if (form.find("x-amz-signature").isPresent()) {
            return Optional.of(new Proof(Proof.Place.FORM, Proof.VERSION_4, Optional.empty()));
        }
        return form.find("signature")
                .map(text -> new Proof(Proof.Place.FORM, Proof.VERSION_2, Optional.empty()));
    }

    private static void requireLength(HttpExchange exchange) {
        RequestHeaders headers = exchange.headers();
        if (!headers.contains("content-length") && !headers.contains("transfer-encoding")) {
            throw new S3Exception(S3Error.MISSING_CONTENT_LENGTH);
        }
    }

    private Principal principal(Principal ofHead, PostForm form) {
        Principal ofForm = authenticator.authenticate(form.fields());
        if (ofForm.equals(Principal.ANONYMOUS)) {
            return ofHead;
        }
        if (!ofHead.equals(Principal.ANONYMOUS)) {
            throw S3Exception.invalidArgument(
                    "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter,"
                            + " Signature query string parameter or the Authorization header should"
                            + " be specified",
                    "Authorization",
                    "");
        }
        return ofForm;
    }

    private FormBody file(PostForm form, String bucket, MultipartReader reader) {
        Optional<String> base64 = form.find("policy");
        if (base64.isEmpty()) {
            return new FormBody(reader, 0, Long.MAX_VALUE);
        }
        PostPolicy policy = PostPolicy.parse(base64.get());
        Map<String, String> fields = new HashMap<>(form.fields());
        fields.put("bucket", bucket);
        policy.check(fields, clock.instant());
        return new FormBody(reader, policy.minBytes(), policy.maxBytes());
    }

    private static RequestHeaders headers(RequestHeaders head, PostForm form) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        head.entries().stream()
                .filter(entry -> OF_THE_HEAD.contains(entry.getKey()))
                .forEach(headers::add);
        // A file has no length of its own in a form.
        headers.add(Map.entry("transfer-encoding", "chunked"));
        form.fields()
                .forEach(
                        (name, value) ->
                                headerOf(name)
                                        .ifPresent(
                                                header -> headers.add(field(header, name, value))));
        return RequestHeaders.of(headers);
    }

    private static Optional<String> headerOf(String field) {
        return switch (field) {
            case "acl" -> Optional.of("x-amz-acl");
            case "tagging" -> Optional.of("x-amz-tagging");
            default -> {
                boolean amz =
                        field.startsWith(AMZ_PREFIX)
                                && !field.startsWith(COPY_PREFIX)
                                && !NO_HEADERS.contains(field);
                yield amz || HEADERS.contains(field) ? Optional.of(field) : Optional.empty();
            }
        };
    }

    /** What no header could carry is not taken either: it could never be answered again. */
    private static Map.Entry<String, String> field(String header, String name, String given) {
        String value = valueOf(name, given);
        if (!RequestHeaders.isField(header, value)) {
            throw S3Exception.invalidArgument(
                    "The form's field can't be a header of the object.", name, given);
        }
        return Map.entry(header, value);
    }

    private static String valueOf(String field, String value) {
        String text = field.equals("tagging") ? tagging(value) : value;
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** Tags come as a document here, and as a query in headers. */
    private static String tagging(String document) {
        XmlElement set =
                XmlReader.parse(document.getBytes(StandardCharsets.UTF_8), "Tagging")
                        .child("TagSet")
                        .orElseThrow(() -> new S3Exception(S3Error.MALFORMED_XML));
        return set.children("Tag").stream()
                .map(tag -> encoded(tag, "Key") + "=" + encoded(tag, "Value"))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(XmlElement tag, String element) {
        return URLEncoder.encode(tag.requiredText(element), StandardCharsets.UTF_8);
    }
}
