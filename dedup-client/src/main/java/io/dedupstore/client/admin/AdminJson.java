package io.dedupstore.client.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** How the records are written. */
public final class AdminJson {
    private AdminJson() {}

    /** For what is asked of the server: a misspelt field is refused. */
    public static ObjectMapper strict() {
        return builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    }

    /** For what the server answers: fields of a newer release are passed over. */
    public static ObjectMapper lenient() {
        return builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    }

    private static JsonMapper.Builder builder() {
        return JsonMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .serializationInclusion(JsonInclude.Include.NON_NULL);
    }
}
