package io.dedupstore.server.auth;

import io.dedupstore.core.io.ByteSource;
import io.dedupstore.core.sigv4.PayloadMode;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** What the authenticator makes of a head. */
record Verified(
        Principal principal,
        PayloadMode payloadMode,
        Optional<Proof> proof,
        OptionalLong payloadLength,
        Function<ByteSource, BodySource> opener)
        implements AuthenticatedRequest {
    @Override
    public boolean presigned() {
        return proof.filter(one -> one.place() == Proof.Place.QUERY).isPresent();
    }

    @Override
    public BodySource openBody(ByteSource body) {
        return opener.apply(body);
    }
}
