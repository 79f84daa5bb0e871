package io.dedupstore.server.s3.operation;

import io.dedupstore.server.http.ResponseHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a client got. */
record Answer(int status, ResponseHeaders headers, byte[] body, boolean cut) {
    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
        return headers.first(name).orElse("");
    }

    /** Text of the first element of that name; empty when there is none. */
    String element(String name) {
        return elements(name).stream().findFirst().orElse("");
    }

    List<String> elements(String name) {
        Matcher matcher =
                Pattern.compile("<" + name + "(?: [^>]*)?>(.*?)</" + name + ">", Pattern.DOTALL)
                        .matcher(text());
        return matcher.results().map(r -> r.group(1)).collect(Collectors.toList());
    }

    /** The error code, or the status where there is none. */
    String code() {
        String code = element("Code");
        return code.isEmpty() ? Integer.toString(status) : code;
    }
}
