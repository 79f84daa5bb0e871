package io.dedupstore.server.s3;

import io.dedupstore.server.http.HttpExchange;
import java.util.Optional;

/**
 * A request that has been answered, as logs tell of it.
 *
 * @param requester account or user; a dash for the anonymous
 * @param operation empty when the request could not be read
 * @param status 0 when nothing was answered
 * @param errorCode empty when it went well
 * @param sentBytes of the answer's body
 * @param objectBytes of the object it is about; 0 where that is not known
 * @param nanos from its head to its answer's end
 */
public record LoggedRequest(
        HttpExchange exchange,
        String requestId,
        String hostId,
        String requester,
        Optional<S3Operation> operation,
        int status,
        Optional<String> errorCode,
        long sentBytes,
        long objectBytes,
        long nanos) {}
