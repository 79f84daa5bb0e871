package io.dedupstore.server.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which pages of other origins may send which requests to a bucket: its CORS configuration. */
public record CorsRules(List<Rule> rules) {
    private static final String ROOT = "CORSConfiguration";
    private static final int MAX_RULES = 100;
    private static final int MAX_ID_CHARS = 255;
    private static final Set<String> METHODS = Set.of("GET", "PUT", "HEAD", "POST", "DELETE");
    private static final String ANY = "*";

    /** A token of HTTP, which a star may be part of. */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    public CorsRules {
        rules = List.copyOf(rules);
    }

    /**
     * One rule; the first that fits a request decides.
     *
     * @param origins with at most one star each
     * @param headers that requests may have, with at most one star each
     * @param exposed headers that the page may read
     */
    public record Rule(
            Optional<String> id,
            List<String> origins,
            List<String> methods,
            List<String> headers,
            List<String> exposed,
            OptionalLong maxAgeSeconds) {
        public Rule {
            origins = List.copyOf(origins);
            methods = List.copyOf(methods);
            headers = List.copyOf(headers);
            exposed = List.copyOf(exposed);
        }

        boolean fits(String origin, String method, List<String> requestHeaders) {
            return methods.contains(method)
                    && origins.stream().anyMatch(pattern -> matches(pattern, origin))
                    && requestHeaders.stream().allMatch(this::allows);
        }

        private boolean allows(String header) {
            String lower = header.toLowerCase(Locale.ROOT);
            return headers.stream()
                    .anyMatch(pattern -> matches(pattern.toLowerCase(Locale.ROOT), lower));
        }

        /** Whether the rule is for everybody, and therefore not for requests with credentials. */
        boolean anyOrigin() {
            return origins.contains(ANY);
        }
    }

    /** The first rule for such a request. */
    Optional<Rule> find(String origin, String method, List<String> requestHeaders) {
        return rules.stream().filter(rule -> rule.fits(origin, method, requestHeaders)).findFirst();
    }

    /**
     * @throws S3Exception MalformedXML, InvalidRequest
     */
    public static CorsRules parse(byte[] document) {
        XmlElement root = XmlReader.parse(document, ROOT);
        List<XmlElement> elements = root.children("CORSRule");
        if (elements.isEmpty() || elements.size() > MAX_RULES) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return new CorsRules(elements.stream().map(CorsRules::rule).toList());
    }

    private static Rule rule(XmlElement element) {
        Optional<String> id = element.childText("ID");
        List<String> origins = texts(element, "AllowedOrigin");
        List<String> methods = texts(element, "AllowedMethod");
        List<String> headers = texts(element, "AllowedHeader");
        List<String> exposed = texts(element, "ExposeHeader");
        if (origins.isEmpty()
                || methods.isEmpty()
                || id.filter(text -> text.length() > MAX_ID_CHARS).isPresent()) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        methods.stream().filter(method -> !METHODS.contains(method)).forEach(CorsRules::refuse);
        origins.forEach(origin -> requireOneStar("AllowedOrigin", origin));
        headers.forEach(header -> requireOneStar("AllowedHeader", header));
        exposed.stream().filter(header -> header.contains(ANY)).forEach(CorsRules::refuseStar);
        // They go into response headers as they are.
        if (!Stream.concat(headers.stream(), exposed.stream()).allMatch(CorsRules::isName)) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return new Rule(id, origins, methods, headers, exposed, maxAge(element));
    }

    private static List<String> texts(XmlElement element, String name) {
        return element.children(name).stream().map(child -> child.text().strip()).toList();
    }

    private static boolean isName(String header) {
        return NAME.matcher(header).matches();
    }

    private static void refuse(String method) {
        throw S3Exception.invalidRequest(
                "Found unsupported HTTP method in CORS config. Unsupported method is " + method);
    }

    private static void refuseStar(String header) {
        throw S3Exception.invalidRequest(
                "ExposeHeader \""
                        + header
                        + "\" contains wildcard. We currently do not support wildcard for"
                        + " ExposeHeader.");
    }

    private static void requireOneStar(String name, String pattern) {
        if (pattern.indexOf('*') != pattern.lastIndexOf('*')) {
            throw S3Exception.invalidRequest(
                    name + " \"" + pattern + "\" can not have more than one wildcard.");
        }
    }

    private static OptionalLong maxAge(XmlElement element) {
        Optional<String> text = element.childText("MaxAgeSeconds").map(String::strip);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!text.get().matches("[0-9]{1,9}")) {
            throw new S3Exception(S3Error.MALFORMED_XML);
        }
        return OptionalLong.of(Long.parseLong(text.get()));
    }

    private static boolean matches(String pattern, String text) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return pattern.equals(text);
        }
        return text.length() >= pattern.length() - 1
                && text.startsWith(pattern.substring(0, star))
                && text.endsWith(pattern.substring(star + 1));
    }

    /** As it is answered and kept. */
    public byte[] document() {
        XmlWriter xml = XmlWriter.s3(ROOT);
        for (Rule rule : rules) {
            xml.open("CORSRule");
            rule.id().ifPresent(id -> xml.text("ID", id));
            rule.headers().forEach(header -> xml.text("AllowedHeader", header));
            rule.methods().forEach(method -> xml.text("AllowedMethod", method));
            rule.origins().forEach(origin -> xml.text("AllowedOrigin", origin));
            rule.exposed().forEach(header -> xml.text("ExposeHeader", header));
            rule.maxAgeSeconds().ifPresent(seconds -> xml.text("MaxAgeSeconds", seconds));
            xml.close();
        }
        return xml.toBytes();
    }

    /** Names in a list as headers have it. */
    static List<String> names(String list) {
        List<String> names = new ArrayList<>();
        for (String name : list.split(",")) {
            if (!name.isBlank()) {
                names.add(name.strip());
            }
        }
        return names;
    }
}
