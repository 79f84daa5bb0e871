package io.dedupstore.core.control;

/** A command that is answered with a refusal: nothing of it takes effect. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ControlException.Code code;

    Refusal(ControlException.Code code, String message) {
        // Not an error of the program: no stack trace is wanted.
        super(message, null, false, false);
        this.code = code;
    }

    ControlException.Code code() {
        return code;
    }
}
