package io.dedupstore.server.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dedupstore.client.admin.AdminJson;
import io.dedupstore.client.admin.JobReport;
import io.dedupstore.client.admin.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Status, type and bytes of an answer.
 *
 * @param location where what was begun can be watched, or empty
 */
record AdminAnswer(int status, String contentType, byte[] body, String location) {
    private static final ObjectMapper JSON = AdminJson.strict();
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int SERVICE_UNAVAILABLE = 503;

    static AdminAnswer json(Object body) {
        return json(OK, "application/json", body);
    }

    static AdminAnswer metrics(String text) {
        return new AdminAnswer(OK, METRICS_TYPE, text.getBytes(StandardCharsets.UTF_8), "");
    }

    /** A job was begun. */
    static AdminAnswer accepted(JobReport job) {
        AdminAnswer answer = json(ACCEPTED, "application/json", job);
        return new AdminAnswer(
                answer.status, answer.contentType, answer.body, "/v1/jobs/" + job.id());
    }

    static AdminAnswer live() {
        return json(Map.of("live", true));
    }

    static AdminAnswer readiness(Readiness readiness) {
        return json(readiness.ready() ? OK : SERVICE_UNAVAILABLE, "application/json", readiness);
    }

    static AdminAnswer problem(AdminException.Code code, String detail) {
        return json(
                code.status(),
                Problem.MEDIA_TYPE,
                new Problem("about:blank", code.title(), code.status(), code.wireName(), detail));
    }

    private static AdminAnswer json(int status, String type, Object body) {
        try {
            return new AdminAnswer(status, type, JSON.writeValueAsBytes(body), "");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("can't be written as JSON: " + body, e);
        }
    }
}
