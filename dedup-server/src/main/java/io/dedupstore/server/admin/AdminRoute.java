package io.dedupstore.server.admin;

import io.dedupstore.server.http.HttpExchange;

/**
 * One operation of the API.
 *
 * @param open needs no token
 */
record AdminRoute(String method, String path, boolean open, Operation operation) {

    /** Answers a request that was let in. */
    @FunctionalInterface
    interface Operation {
        AdminAnswer answer(HttpExchange exchange) throws Exception;
    }
}
