package io.dedupstore.core.chunking;

/** What can be wrong with a request to cut. */
public final class ChunkingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public enum Code {
        /** Unknown algorithm, or parameters outside the format. */
        BAD_SPEC,
        /** The domain key has the wrong length. */
        BAD_KEY
    }

    private final Code code;

    ChunkingException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
