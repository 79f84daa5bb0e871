package io.dedupstore.server.policy;

/** A document that is no policy, or none that may be set where it was meant to be. */
public final class PolicyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message for the client
     */
    public PolicyException(String message) {
        super(message);
    }

    PolicyException(String message, Throwable cause) {
        super(message, cause);
    }
}
