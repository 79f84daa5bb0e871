package io.dedupstore.server.auth;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.PayloadMode;
import java.util.Optional;
import java.util.OptionalLong;

/** A request head that was found authentic (or that carries no authentication at all). */
public interface AuthenticatedRequest {
    Principal principal();

    PayloadMode payloadMode();

    /** Whether a signature in the query (a presigned URL) was the proof. */
    boolean presigned();

    /** Empty for the anonymous. */
    default Optional<Proof> proof() {
        return Optional.empty();
    }

    /** The payload's length where the client said it, framing not counted. */
    OptionalLong payloadLength();

    /**
     * The payload behind the bytes of the body; call at most once.
     *
     * @param body the body as the connection delivers it
     */
    BodySource openBody(ByteSource body);
}
