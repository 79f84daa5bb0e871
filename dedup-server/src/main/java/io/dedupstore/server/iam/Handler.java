package io.dedupstore.server.iam;

/**
 * An action of the API. Access has been decided.
 *
 * <p>Throws {@link QueryException}.
 */
@FunctionalInterface
interface Handler {
    /**
     * @param result the element of the answer's result, open
     */
    void handle(Call call, QueryXml result);
}
