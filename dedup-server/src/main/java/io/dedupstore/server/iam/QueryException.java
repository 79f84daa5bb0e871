package io.dedupstore.server.iam;

/** An error answer of the query API. */
final class QueryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final int status;

    QueryException(String code, int status, String message) {
        super(message);
        this.code = code;
        this.status = status;
    }

    QueryException(String code, int status, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.status = status;
    }

    static QueryException validation(String message) {
        return new QueryException("ValidationError", 400, message);
    }

    static QueryException noSuchEntity(String message) {
        return new QueryException("NoSuchEntity", 404, message);
    }

    static QueryException conflict(String message) {
        return new QueryException("DeleteConflict", 409, message);
    }

    static QueryException accessDenied(String message) {
        return new QueryException("AccessDenied", 403, message);
    }

    String code() {
        return code;
    }

    int status() {
        return status;
    }
}
