package io.dedupstore.server.s3;

import io.dedupstore.server.http.RequestHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Presigned URLs carry in their query what would otherwise be {@code x-amz-*} headers; the
 * signature covers it there. A header of the same name wins.
 */
final class HoistedHeaders {
    private static final Set<String> AUTHENTICATION =
            Set.of(
                    "x-amz-algorithm",
                    "x-amz-credential",
                    "x-amz-date",
                    "x-amz-expires",
                    "x-amz-signedheaders",
                    "x-amz-signature",
                    "x-amz-security-token",
                    "x-amz-content-sha256");

    private HoistedHeaders() {}

    static RequestHeaders merge(RequestHeaders headers, QueryParameters query) {
        List<Map.Entry<String, String>> all = new ArrayList<>(headers.entries());
        for (String parameter : query.names()) {
            String name = parameter.toLowerCase(Locale.ROOT);
            boolean hoisted = name.startsWith("x-amz-") && !AUTHENTICATION.contains(name);
            if (hoisted && !headers.contains(name)) {
                byte[] utf8 = query.first(parameter).orElse("").getBytes(StandardCharsets.UTF_8);
                all.add(Map.entry(name, new String(utf8, StandardCharsets.ISO_8859_1)));
            }
        }
        return RequestHeaders.of(all);
    }
}
